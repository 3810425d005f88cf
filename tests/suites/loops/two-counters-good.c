// Two counters go side by side: one reads, the other writes.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int from[4003], to[4000];
  for (int i = 0; i < 4003; i++) from[i] = __VERIFIER_nondet_int();
  int j = 3;
  for (int i = 0; i < 4000; i++) {
    to[i] = from[j];
    j++;
  }
  for (int k = 0; k < 4000; k++) __VERIFIER_assert(to[k] == from[k + 3]);
  return 0;
}
