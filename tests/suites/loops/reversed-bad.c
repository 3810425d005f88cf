// The second array is the first one backwards, and is compared with it forwards.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 12
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int from[6], to[6];
  for (int i = 0; i < 6; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 6; i++) to[i] = from[5 - i];
  for (int k = 0; k < 6; k++) __VERIFIER_assert(from[k] == to[k]);
  return 0;
}
