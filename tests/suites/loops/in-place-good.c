// Every element becomes one more, in its place.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
void __VERIFIER_assert(int condition);
int main(void) {
  static int numbers[2000];
  for (int i = 0; i < 2000; i++) numbers[i] = 4;
  for (int i = 0; i < 2000; i++) numbers[i] = numbers[i] + 1;
  for (int k = 0; k < 2000; k++) __VERIFIER_assert(numbers[k] == 5);
  return 0;
}
