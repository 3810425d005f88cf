// Shifts an array by one element with memcpy.
// check:     memory-safety
// expect:    unsafe overlap @ line 11
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  int queue[4] = {1, 2, 3, 4};
  memcpy(queue, queue + 1, 3 * sizeof *queue);
  return queue[0] != 2;
}
