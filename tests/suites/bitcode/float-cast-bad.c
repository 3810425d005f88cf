// A number that does not fit the integer it becomes.
// expect: unsafe float-cast @ line 8

signed char __VERIFIER_nondet_char(void);

int main(void) {
  float x = __VERIFIER_nondet_char();
  signed char y = (signed char)(x + 1.0f);
  return y == 3;
}
