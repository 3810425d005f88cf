// What was copied to a second array and from there to a third is still what it was.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  static int first[5000], second[5000], third[5000];
  for (int i = 0; i < 5000; i++) first[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 5000; i++) second[i] = first[i];
  for (int i = 0; i < 5000; i++) third[i] = second[i];
  for (int i = 0; i < 5000; i++) __VERIFIER_assert(third[i] == first[i]);
  return 0;
}
