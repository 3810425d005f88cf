// What a wrapper of malloc returns to two callers is apart.
// ci: {a b}
// regions: {a} {b}
static void *allocate(unsigned long size) { return __builtin_malloc(size); }
int main(void) {
  int *p = allocate(4), *q = allocate(4);
  *p = 1; // @a
  *q = 2; // @b
  return 0;
}
