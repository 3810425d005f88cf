// A function that stores through both of its arguments keeps them apart for a caller that passes
// two objects.
// ci: {a b}
// regions: {a} {b}
static void both(int *p, int *q) { *p = 1; *q = 2; }
static void turn(int *p, int *q) { both(q, p); }
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  both(p, q);
  turn(p, q);
  *p = 3; // @a
  *q = 4; // @b
  return 0;
}
