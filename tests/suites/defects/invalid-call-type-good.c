// Repaired twin of: calls a function through a pointer to a function of another type.
// check:     memory-safety
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static long add(long a, long b) { return a + b; }

typedef long binary(long, long);

int main(void) {
  binary *f = add;
  return f(1, 2) != 3;
}
