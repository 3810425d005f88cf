// A callee stores a local object's address into a global; a load of it leads back to the object.
// regions: {a b} {c}
static int *keep;
static void save(int *p) { keep = p; }
int main(void) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  save(p);
  int *r = keep;
  *p = 1; // @a
  *r = 2; // @b
  *q = 3; // @c
  return 0;
}
