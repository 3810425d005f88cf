// A bool that was filled from a byte holds the value 2.
// check:     undefined
// expect:    unsafe invalid-value @ line 14
// engines:   run bmc
// sanitizer: undefined

#include <stdbool.h>
#include <string.h>

int main(void) {
  unsigned char byte = 2;
  bool flag;
  memcpy(&flag, &byte, 1);
  return flag ? 0 : 1;
}
