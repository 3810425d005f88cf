// Repaired twin of: converts a negative float to unsigned.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  float balance = -5.5f;
  unsigned amount = balance < 0 ? 0 : (unsigned)balance;
  return amount == 7;
}
