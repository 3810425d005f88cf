// KLEE: symbolic memory, ranges, assumptions and assertions.
// check:   assertions
// expect:  unsafe assertion @ line 15
// engines: run bmc
// inputs:  5 513

#include "klee/klee.h"

int main(void) {
  unsigned word;
  klee_make_symbolic(&word, sizeof word, "word");
  int i = klee_range(0, 10, "i");
  klee_assume(word < 1000);
  klee_assert(i >= 0 && i < 10);
  klee_assert(word != 513);
  return 0;
}
