// The error function is called in a state that is reached.
// check:     assertions
// expect:    unsafe reach-error @ line 14
// engines:   run bmc
// sanitizer: none: no sanitizer knows the verifier's functions

extern void reach_error(void);

int main(void) {
  int state = 0;
  for (int i = 0; i < 6; i++)
    state = (state + 1) % 4;
  if (state == 2)
    reach_error();
  return 0;
}
