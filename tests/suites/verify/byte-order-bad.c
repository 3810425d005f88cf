// The byte order of networks is not that of the machine.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <arpa/inet.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  assert(htonl(number) == number);
  return 0;
}
