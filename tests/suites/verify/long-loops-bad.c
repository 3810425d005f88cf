// The sum over a table that a long loop fills lacks the last element. Beyond bounded model checking,
// but not beyond the trials of `verify`.
// check:   assertions
// expect:  unsafe assertion @ line 19
// engines: run
void __VERIFIER_assert(int condition);

#define LENGTH 100000

static int table[LENGTH];

int main(void) {
  unsigned long long sum = 0, expected = 0;
  for (int i = 0; i < LENGTH; i++)
    table[i] = i % 7;
  for (int i = 0; i + 1 < LENGTH; i++)
    sum += (unsigned)table[i];
  for (int i = 0; i < LENGTH; i++) expected += (unsigned)i % 7;
  __VERIFIER_assert(sum == expected);
  return 0;
}
