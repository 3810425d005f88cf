// Repaired twin of: indexes a local array with its own length.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int days[7] = {0};
  int today = 6;
  days[today] = 1;
  return days[0];
}
