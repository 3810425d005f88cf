// Repaired twin of: reads the bool view of a union that holds a letter.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include <stdbool.h>

union cell {
  char letter;
  bool flag;
};

int main(void) {
  union cell c;
  c.flag = true;
  return c.flag == 0;
}
