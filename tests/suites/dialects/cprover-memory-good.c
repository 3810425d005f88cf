// Repaired twin of: CPROVER: nondet, assumptions, and what it knows about objects.
// check:   assertions
// expect:  safe
// engines: run bmc
// inputs:  3

int nondet_int(void);

int main(void) {
  char buffer[8] = {0};
  char *p = buffer + 3;
  int i = nondet_int();
  __CPROVER_assume(i >= 0 && i < 4);
  __CPROVER_assert(__CPROVER_r_ok(p, 5), "five bytes are left");
  __CPROVER_assert(!__CPROVER_w_ok(p, 6), "not six");
  __CPROVER_assert(__CPROVER_same_object(p, buffer), "one object");
  __CPROVER_assert(!__CPROVER_same_object(p, &i), "two objects");
  __CPROVER_assert(i < 4, "as assumed");
  return 0;
}
