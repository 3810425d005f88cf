// Numbers go to the byte order of networks and back.
// check:   assertions
// expect:  safe
// engines: bmc
#include <arpa/inet.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  assert(ntohl(htonl(number)) == number);
  assert(htons(0x1234) == 0x3412);
  return 0;
}
