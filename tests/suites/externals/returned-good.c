// What it was not given it does not return.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct pair {
  int left, right;
};
int *choose(struct pair *pair);
int main(void) {
  struct pair pair = {1, 2}, other = {3, 4};
  int *place = choose(&pair);
  if (place == &pair.right) {
    *place = 3;
    assert(other.right == 4);
  }
  return 0;
}
