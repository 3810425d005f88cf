// A callee is given two elements of an array: it must not find in one what it wrote to the other.
// check:   assertions
// expect:  unsafe assertion @ line 22
// engines: run bmc
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
  __VERIFIER_assert(*fourth == 7);
  return 0;
}
