// A pointer names one of two functions, and is known not to name a third.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc absint
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
  int (*local)(void) = x == 7 ? ten : five;
  for (int i = 0; i < 1000; i++) {
    int sum = chosen() + local();
    __VERIFIER_assert(10 <= sum && sum <= 20);
  }
  return 0;
}
