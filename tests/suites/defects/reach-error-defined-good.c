// Repaired twin of: an error function with a body of its own, called by an assertion function with a body.
// check:     assertions
// expect:    safe
// engines:   run bmc
// sanitizer: none

void reach_error(void) {}

void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
  }
}

int main(void) {
  int items[3] = {5, 9, 2}, largest = 0;
  for (int i = 0; i < 3; i++)
    if (items[i] > largest)
        largest = items[i];
  __VERIFIER_assert(largest == 9);
  return 0;
}
