// Elements that compare equal come in any order; their keys are in order whatever it is.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdlib.h>
struct entry {
  int key;
  int value;
};
static int by_key(const void *left, const void *right) {
  const struct entry *l = left, *r = right;
  return (l->key > r->key) - (l->key < r->key);
}
int main(void) {
  struct entry entries[3] = {{2, 0}, {1, 1}, {1, 2}};
  qsort(entries, 3, sizeof entries[0], by_key);
  assert(entries[0].key == 1 && entries[1].key == 1 && entries[2].key == 2);
  assert(entries[0].value + entries[1].value == 3);
  struct entry key = {1, 7};
  const struct entry *found = bsearch(&key, entries, 3, sizeof key, by_key);
  assert(found == &entries[0] || found == &entries[1]);
  return 0;
}
