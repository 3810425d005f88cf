// A pointer that is left may lead into the middle of an object.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 19
// engines:   run bmc
// inputs:    true true &1+4

#include <assert.h>
struct pair {
  int left, right;
};
void find(struct pair *pair, int **place);
int main(void) {
  struct pair pair = {1, 2};
  int *place = &pair.left;
  find(&pair, &place);
  if (place == &pair.right) {
    pair.right = 2;
    *place = 3;
    assert(pair.right == 2);
  }
  return 0;
}
