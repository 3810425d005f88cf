// A function may return a pointer to what it was given.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 17
// engines:   run bmc
// inputs:    false &1+4

#include <assert.h>
struct pair {
  int left, right;
};
int *choose(struct pair *pair);
int main(void) {
  struct pair pair = {1, 2};
  int *place = choose(&pair);
  if (place == &pair.right) {
    pair.right = 2, *place = 3;
    assert(pair.right == 2);
  }
  return 0;
}
