// Reads the bool view of a union that holds a letter.
// check:     undefined
// expect:    unsafe invalid-value @ line 17
// engines:   run bmc
// sanitizer: undefined

#include <stdbool.h>

union cell {
  char letter;
  bool flag;
};

int main(void) {
  union cell c;
  c.letter = 'x';
  return c.flag == 0;
}
