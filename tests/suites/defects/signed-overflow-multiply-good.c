// Repaired twin of: computes seconds in a recursion that outgrows int.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int factorial(int n) {
  if (n <= 1 || n > 12)
      return 1;
  return n * factorial(n - 1);
}

int main(void) { return factorial(13) == 0; }
