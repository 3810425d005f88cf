// A barrier without a text changes nothing, nor does assembly what it does not know.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
int main(void) {
  static int hidden = 1;
  int x = 1;
  int *p = &x;
  __asm__ volatile("" ::"r"(p) : "memory");
  assert(x == 1);
  __asm__ volatile("nop" ::: "memory");
  assert(hidden == 1);
  return 0;
}
