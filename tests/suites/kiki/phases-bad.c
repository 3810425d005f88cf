// The first phase ends with an odd number.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: kiki
void __VERIFIER_assert(int);
int main(void) {
  unsigned x = 0;
  while (x < 50) {
    if (x < 5)
      x++;
    else
      x += 2;
  }
  __VERIFIER_assert(x % 2 == 0);
  return 0;
}
