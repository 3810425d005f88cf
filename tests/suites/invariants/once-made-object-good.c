// A function that is called once makes an object, of which there is then only one.
// check:   assertions
// expect:  safe
// engines: run bmc absint
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

static int *make(void) {
  int *made = malloc(sizeof *made);
  *made = __VERIFIER_nondet_int() ? 5 : 10;
  return made;
}

int main(void) {
  int *made = make();
  __VERIFIER_assert(*made >= 5);
  __VERIFIER_assert(*made <= 10);
  free(made);
  return 0;
}
