// Fields of one structure are apart.
// regions: {a} {b}
struct pair { int x; int y; };
int main(void) {
  struct pair *p = __builtin_malloc(sizeof *p);
  p->x = 1; // @a
  p->y = 2; // @b
  return 0;
}
