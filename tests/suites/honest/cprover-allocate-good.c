// What __CPROVER_allocate gives is as large as it was asked for, and zero if that was asked for.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  __CPROVER_size_t n = 3;
  int *p = __CPROVER_allocate(n * sizeof(int), 1);
  p[2] += 1;
  __CPROVER_assert(p[0] == 0 && p[2] == 1, "zeroed");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p + 1) == 12, "twelve bytes");
  __CPROVER_assert(__CPROVER_POINTER_OFFSET(p + 1) == 4, "one element");
  return 0;
}
