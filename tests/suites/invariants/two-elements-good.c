// A callee is given two elements of an array: what it writes to one is not in the other.
// check:   assertions
// expect:  safe
// engines: run bmc absint
void __VERIFIER_assert(int condition);
static int table[6] = {5, 5, 5, 5, 5, 5};

static int write_and_read(int *written, int *read) {
  *written = 7;
  return *read;
}

static int *second(void) { return &table[2]; }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++)
    sum += table[i];
  int *fourth = &table[4];
  *fourth = 3;
  *fourth = write_and_read(second(), fourth);
  __VERIFIER_assert(*fourth == 3);
  return 0;
}
