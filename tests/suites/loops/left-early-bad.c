// Where the search is left early, the rest of the array is not what it was filled with before.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  int x[5] = {0}, stop = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) {
    if (i == stop) break;
    x[i] = 1;
  }
  __VERIFIER_assert(x[4] == 1);
  return 0;
}
