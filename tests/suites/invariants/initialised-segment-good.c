// An array that nobody initialised is filled by a loop; what the loop wrote is all that is read.
// check:   assertions
// expect:  safe
// engines: run bmc absint
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

int main(void) {
  int table[10];
  for (int i = 0; i < 10; i++)
    table[i] = __VERIFIER_nondet_int() ? 0 : 5;
  int place = __VERIFIER_nondet_int();
  if (place < 0 || place >= 10)
    return 0;
  __VERIFIER_assert(table[place] >= 0 && table[place] <= 5);
  return 0;
}
