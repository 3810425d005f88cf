// A pointer that goes through an integer still points to its own object only.
// regions: {a b} {c}
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  unsigned long bits = (unsigned long)p;
  int *r = (int *)bits;
  *p = 1; // @a
  *r = 2; // @b
  *q = 3; // @c
  return 0;
}
