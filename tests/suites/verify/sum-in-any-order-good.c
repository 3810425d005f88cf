// The sum and the conjunction of a table do not depend on the order of its elements, though they are
// computed in a wider type and cut.
// check:   assertions
// expect:  safe
// engines: bmc
void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);

#define LENGTH 100

static int sum(const int *table) {
  long long total = 0;
  for (int i = 0; i < LENGTH; i++)
    total = total + i + table[i];
  return (int)total;
}

static int all(const int *table) {
  long long bits = table[0];
  for (int i = 1; i < LENGTH; i++)
    bits &= table[i];
  return (int)bits;
}

int main(void) {
  int table[LENGTH], turned[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    table[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < LENGTH; i++)
    turned[i] = table[(i + 1) % LENGTH];
  __VERIFIER_assert(sum(table) == sum(turned));
  __VERIFIER_assert(all(table) == all(turned));
  return 0;
}
