// Two words overlap by two bytes in memory that is known by no offset: cells as wide as the accesses
// would not see it.
// check:   assertions
// expect:  unsafe assertion @ line 20
// engines: bmc
#include <string.h>

void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char bytes[16];
  int place = __VERIFIER_nondet_int();
  if (place < 0 || place > 3)
    return 0;
  int *low = (int *)(bytes + 4);
  int *high = (int *)(bytes + 4 + place);
  *low = 0x01020304;
  *high = 0x05060708;
  __VERIFIER_assert(*low != 0x07080304);
  return 0;
}
