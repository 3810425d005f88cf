// The second copy leaves out the first element, and anything may have been there.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 13
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int first[8], second[8], third[8];
  for (int i = 0; i < 8; i++) first[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 8; i++) second[i] = first[i];
  for (int i = 1; i < 8; i++) third[i] = second[i];
  for (int i = 0; i < 8; i++) __VERIFIER_assert(third[i] == first[i]);
  return 0;
}
