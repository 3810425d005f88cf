// Repaired twin of: the error function is called in a state that is reached.
// check:     assertions
// expect:    safe
// engines:   run bmc
// sanitizer: none

extern void reach_error(void);

int main(void) {
  int state = 0;
  for (int i = 0; i < 6; i++)
    state = (state + 1) % 3;
  if (state == 2)
    reach_error();
  return 0;
}
