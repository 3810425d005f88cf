// Computes seconds in a recursion that outgrows int.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 10
// engines:   run bmc
// sanitizer: undefined

static int factorial(int n) {
  if (n <= 1)
    return 1;
  return n * factorial(n - 1);
}

int main(void) { return factorial(13) == 0; }
