// The end of a loop over an array is kept in a global: both point into the only object there is.
// check:   assertions
// expect:  safe
// engines: run bmc absint
void __VERIFIER_assert(int condition);
static int *last;

static void fill(int *from, int *to) {
  for (int *p = from; p <= to; p++) {
    __VERIFIER_assert(p <= last);
    *p = 1;
  }
}

int main(void) {
  int table[2];
  last = table + 1;
  fill(table, table + 1);
  return 0;
}
