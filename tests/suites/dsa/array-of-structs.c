// Fields of the elements of an array are apart; elements are not.
// regions: {a c} {b}
struct pair { int x; int y; };
int main(int argc, char **argv) {
  struct pair *p = __builtin_malloc(10 * sizeof *p);
  p[argc].x = 1; // @a
  p[argc].y = 2; // @b
  p[2].x = 3; // @c
  return 0;
}
