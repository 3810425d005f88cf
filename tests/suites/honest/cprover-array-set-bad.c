// __CPROVER_array_set and __CPROVER_array_copy go to the end of the array.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 12
// engines: run bmc

int main(void) {
  short a[4] = {1, 2, 3, 4};
  short b[4];
  __CPROVER_array_set(a, 259);
  __CPROVER_array_copy(b, a);
  __CPROVER_assert(b[3] == 259, "all of it");
  __CPROVER_assert(b[2] == 3, "not only the first");
  return 0;
}
