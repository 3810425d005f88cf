// Assembly that clobbers memory may change what its operand points to.
// check:     assertions
// expect:    unsafe assertion @ line 12
// engines:   bmc
// bmc:       unknown FIXME: assembly is not read, so no run of it is shown

#include <assert.h>
int main(void) {
  int x = 1;
  int *p = &x;
  __asm__ volatile("movl $2, (%0)" ::"r"(p) : "memory");
  assert(x == 1);
  return 0;
}
