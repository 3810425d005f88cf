// Repaired twin: a callee looks at the second of two structures that its caller knows as an array: it
// must not be taken for the first.
// check:   assertions
// expect:  safe
// engines: run bmc absint
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
struct pair { int x; int y; };
static struct pair table[2];

static void look(const struct pair *p) {
  // The second.
  __VERIFIER_assert(p[1].x == 7);
}

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  table[i].x = 5;
  table[0].x = 5;
  table[1].x = 7;
  look(&table[0]);
  return 0;
}
