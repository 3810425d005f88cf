// An assertion that holds in a file that does not include <assert.h>.
// check:   assertions
// expect:  safe
// engines: run bmc absint

int main(void) {
  int x = 3;
  assert(x == 3);
  return 0;
}
