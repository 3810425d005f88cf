// An assertion in a file that does not include <assert.h>.
// check:   assertions
// expect:  unsafe assertion @ line 8
// engines: run bmc

int main(void) {
  int x = 3;
  assert(x == 4);
  return 0;
}
