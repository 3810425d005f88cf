// Indexes a local array with its own length.
// check:     undefined
// expect:    unsafe array-bounds @ line 10
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int days[7] = {0};
  int today = 7;
  days[today] = 1;
  return days[0];
}
