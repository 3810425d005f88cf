// A function is handed the middle of an object; what the object holds at the start is known all the same.
// check:   assertions
// expect:  safe
// engines: horn
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct pair { int first; int second; };
static struct pair both = {1, 2};
static void touch(int *number) { *number += 2; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    touch(&both.second);
  }
  assert(both.second % 2 == 0);
  return 0;
}
