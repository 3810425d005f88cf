// Odd numbers come only in the first phase of the loop.
// check:   assertions
// expect:  safe
// engines: kiki
void __VERIFIER_assert(int);
int main(void) {
  unsigned x = 0;
  while (x < 0x0fffffff) {
    if (x < 0xfff0)
      x++;
    else
      x += 2;
  }
  __VERIFIER_assert(x % 2 == 0);
  return 0;
}
