// What __CPROVER_allocate gives is as large as it was asked for.
// check:   assertions memory-safety
// expect:  unsafe out-of-bounds @ line 10
// engines: run bmc

int main(void) {
  __CPROVER_size_t n = 3;
  int *p = __CPROVER_allocate(n * sizeof(int), 1);
  __CPROVER_assert(p[2] == 0, "zeroed");
  p[3] = 1;
  return 0;
}
