// A pointer stored as an integer and loaded again points to its own object only.
// regions: {a b} {c}
struct box { unsigned long bits; };
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  struct box *box = __builtin_malloc(sizeof *box);
  box->bits = (unsigned long)p;
  int *r = (int *)box->bits;
  *p = 1; // @a
  *r = 2; // @b
  *q = 3; // @c
  return 0;
}
