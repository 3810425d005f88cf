// Converts a negative float to unsigned.
// check:     undefined
// expect:    unsafe float-cast @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  float balance = -5.5f;
  unsigned amount = (unsigned)balance;
  return amount == 7;
}
