// Repaired twin of: a recursion whose base case comes one step late.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int sum(const int *values, int n) {
  if (n <= 0)
      return 0;
  return values[n - 1] + sum(values, n - 1);
}

int main(void) {
  int values[3] = {1, 2, 3};
  return sum(values, 3) != 6;
}
