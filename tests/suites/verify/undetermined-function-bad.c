// A call through a function pointer that was never written may do anything, also return.
// check:   assertions
// expect:  unsafe assertion @ line 19
// engines: bmc absint
// bmc:     unknown FIXME: an unresolved call cannot be repeated in the interpreter
#include <stdlib.h>

void __VERIFIER_assert(int condition);

struct handler {
  int (*call)(int);
  int calls;
};

int main(void) {
  struct handler *handler = malloc(sizeof *handler);
  handler->calls = 0;
  int result = handler->call(3);
  __VERIFIER_assert(result == 4);
  return 0;
}
