// A recursion whose base case comes one step late.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 10
// engines:   run bmc
// sanitizer: address

static int sum(const int *values, int n) {
  if (n < 0)
    return 0;
  return values[n - 1] + sum(values, n - 1);
}

int main(void) {
  int values[3] = {1, 2, 3};
  return sum(values, 3) != 6;
}
