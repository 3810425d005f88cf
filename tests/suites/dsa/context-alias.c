// One caller passes the same object twice: within the callee the two are one.
// in: both
// regions: {a b}
static void both(int *p, int *q) {
  *p = 1; // @a
  *q = 2; // @b
}
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  both(p, q);
  both(p, p);
  return 0;
}
