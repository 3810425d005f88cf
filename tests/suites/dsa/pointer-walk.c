// A pointer that walks over an array of structures stays at its field.
// regions: {a} {b}
struct pair { int x; int y; };
int main(int argc, char **argv) {
  struct pair *p = __builtin_malloc(10 * sizeof *p);
  for (struct pair *q = p; q < p + argc; q++) {
    q->x = 1; // @a
    q->y = 2; // @b
  }
  return 0;
}
