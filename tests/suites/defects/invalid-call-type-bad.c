// Calls a function through a pointer to a function of another type.
// check:     memory-safety
// expect:    unsafe invalid-call @ line 14
// engines:   run bmc
// sanitizer: function

static long add(long a, long b) { return a + b; }

typedef int unary(int *);

int main(void) {
  int value = 1;
  unary *f = (unary *)(void *)add;
  return f(&value) == 0;
}
