// A number that fits the integer it becomes, up to its limits.
// expect: safe

signed char __VERIFIER_nondet_char(void);

int main(void) {
  float x = __VERIFIER_nondet_char();
  volatile double lowest = -128.5;
  signed char y = (signed char)x;
  signed char z = (signed char)lowest;
  return y == z;
}
