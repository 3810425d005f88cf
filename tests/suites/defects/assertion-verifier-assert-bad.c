// An assertion of the verifier on the result of a swap by xor of one object.
// check:     assertions
// expect:    unsafe assertion @ line 18
// engines:   run bmc
// sanitizer: none: no sanitizer knows the verifier's functions

extern void __VERIFIER_assert(int);

static void swap(int *a, int *b) {
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
