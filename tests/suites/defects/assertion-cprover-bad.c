// A CPROVER assertion on wrapped unsigned arithmetic.
// check:     assertions
// expect:    unsafe assertion @ line 10
// engines:   run bmc
// sanitizer: none: no sanitizer knows the verifier's functions

int main(void) {
  unsigned char level = 250;
  level += 10;
  __CPROVER_assert(level > 10, "the level went up");
  return 0;
}
