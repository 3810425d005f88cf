// A function that returns its argument does not make its callers' arguments one.
// ci: {a b}
// regions: {a} {b}
static int *same(int *p) { return p; }
int main(void) {
  int *p = same(__builtin_malloc(4)), *q = same(__builtin_malloc(4));
  *p = 1; // @a
  *q = 2; // @b
  return 0;
}
