// Repaired twin of: shifts an array by one element with memcpy.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  int queue[4] = {1, 2, 3, 4};
  memmove(queue, queue + 1, 3 * sizeof *queue);
  return queue[0] != 2;
}
