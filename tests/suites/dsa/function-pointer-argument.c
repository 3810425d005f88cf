// A function passed to another is called with what the caller passes beside it.
// regions: {a} {b}
static void set(int *p) { *p = 1; }
static void apply(void (*f)(int *), int *p) { f(p); }
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  apply(set, p);
  apply(set, q);
  *p = 3; // @a
  *q = 4; // @b
  return 0;
}
