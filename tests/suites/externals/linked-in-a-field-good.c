// The pointer itself is not given: it stays.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct pair {
  int left, right;
};
void find(struct pair *pair, int *place);
int main(void) {
  struct pair pair = {1, 2};
  int *place = &pair.left;
  find(&pair, place);
  pair.right = 2;
  *place = 3;
  assert(pair.right == 2);
  return 0;
}
