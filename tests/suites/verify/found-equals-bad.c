// Of several elements that compare equal to the key, bsearch finds any.
// check:   assertions
// expect:  unsafe assertion @ line 15
// engines: bmc
#include <assert.h>
#include <stdlib.h>
static int by_value(const void *left, const void *right) {
  int l = *(const int *)left, r = *(const int *)right;
  return (l > r) - (l < r);
}
int main(void) {
  int numbers[4] = {1, 2, 2, 2};
  int key = 2;
  const int *found = bsearch(&key, numbers, 4, sizeof key, by_value);
  assert(found == &numbers[2]);
  return 0;
}
