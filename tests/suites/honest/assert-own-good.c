// A program that defines a function of that name means its own, which here does nothing.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc absint

static int seen;

void assert(int condition) { seen += !condition; }

int main(void) {
  assert(0);
  return 0;
}
