// Elements that compare equal come in any order: C does not promise that qsort keeps theirs.
// check:   assertions
// expect:  unsafe assertion @ line 18
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
  assert(entries[0].value == 1);
  return 0;
}
