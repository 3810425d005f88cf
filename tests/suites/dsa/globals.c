// Globals are apart from each other and from the heap, also behind an initialised pointer.
// regions: {a c} {b} {d}
static int x, y;
static int *pointer = &x;
int main(void) {
  int *heap = __builtin_malloc(4);
  x = 1; // @a
  y = 2; // @b
  int *p = pointer;
  *p = 3; // @c
  *heap = 4; // @d
  return 0;
}
