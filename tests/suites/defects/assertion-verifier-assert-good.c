// Repaired twin of: an assertion of the verifier on the result of a swap by xor of one object.
// check:     assertions
// expect:    safe
// engines:   run bmc
// sanitizer: none

extern void __VERIFIER_assert(int);

static void swap(int *a, int *b) {
  if (a == b)
    return;
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}

int main(void) {
  int x = 7;
  swap(&x, &x);
  __VERIFIER_assert(x == 7);
  return 0;
}
