// Repaired twin of: converts the square root of a negative number to int.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int as_int(double value) {
  if (value != value)
    return 0;
  return (int)value;
}

int main(void) {
  double zero = 0.0;
  return as_int(zero / zero) == 1;
}
