// Converts the square root of a negative number to int.
// check:     undefined
// expect:    unsafe float-cast @ line 8
// engines:   run bmc
// sanitizer: undefined

static int as_int(double value) {
  return (int)value;
}

int main(void) {
  double zero = 0.0;
  return as_int(zero / zero) == 1;
}
