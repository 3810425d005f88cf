// A program that defines a function of that name means its own.
// check:   assertions memory-safety
// expect:  unsafe reach-error @ line 11
// engines: run bmc

void reach_error(void) {}

static int seen;

void assert(int condition) {
  if (!condition && seen++) reach_error();
}

int main(void) {
  assert(0);
  assert(0);
  return 0;
}
