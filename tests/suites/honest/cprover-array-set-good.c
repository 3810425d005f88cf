// __CPROVER_array_set and __CPROVER_array_copy go to the end of the array.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  short a[4] = {1, 2, 3, 4};
  short b[4];
  __CPROVER_array_set(a, 259);
  __CPROVER_array_copy(b, a);
  __CPROVER_assert(b[0] == 259 && b[3] == 259, "all of it");
  return 0;
}
