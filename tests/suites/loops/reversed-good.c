// The second array is the first one backwards.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int from[6000], to[6000];
  for (int i = 0; i < 6000; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 6000; i++) to[i] = from[5999 - i];
  for (int k = 0; k < 6000; k++) __VERIFIER_assert(from[k] == to[5999 - k]);
  return 0;
}
