// Converts a double to int that is far too large for it.
// check:     undefined
// expect:    unsafe float-cast @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  double distance = 1e12;
  int rounded = (int)distance;
  return rounded == 0;
}
