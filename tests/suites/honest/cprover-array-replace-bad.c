// __CPROVER_array_replace puts all of the second array at the start of the first.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 10
// engines: run bmc

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int b[2] = {7, 8};
  __CPROVER_array_replace(a, b);
  __CPROVER_assert(a[1] == 2, "it was replaced");
  return 0;
}
