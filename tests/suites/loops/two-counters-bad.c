// Two counters go side by side, but the second begins one further.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 16
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int from[8], to[5];
  for (int i = 0; i < 8; i++) from[i] = __VERIFIER_nondet_int();
  int j = 2;
  for (int i = 0; i < 5; i++) {
    to[i] = from[j];
    j++;
  }
  for (int k = 0; k < 5; k++) __VERIFIER_assert(to[k] == from[k + 3]);
  return 0;
}
