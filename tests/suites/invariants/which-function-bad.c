// A pointer names one of two functions, and may name a third in a local variable.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 24
// engines: bmc
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

static int five(void) { return 5; }
static int ten(void) { return 10; }
static int hundred(void) { return 100; }

static int (*chosen)(void) = hundred;

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0)
    chosen = five;
  else
    chosen = ten;
  __VERIFIER_assert(chosen != hundred);
  int (*local)(void) = x == 7 ? hundred : five;
  for (int i = 0; i < 1000; i++) {
    int sum = chosen() + local();
    __VERIFIER_assert(10 <= sum && sum <= 20);
  }
  return 0;
}
