// Assignment of nested structs copies; arrays inside come along, pointers do not.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 2 20 Shared red
// stdout: 4 3 4 red
// stdout: 0

#include <stdio.h>
#include <string.h>

struct leaf {
  int values[3];
  char *shared;
};
struct tree {
  struct leaf left, right;
  int depth;
};

static struct tree swap(struct tree t) {
  struct leaf kept = t.left;
  t.left = t.right;
  t.right = kept;
  t.depth++;
  return t;
}

int main(void) {
  char text[] = "shared";
  struct tree a = {{{1, 2, 3}, text}, {{4, 5, 6}, text + 3}, 0}, b = a, list[3];
  b.left.values[1] = 20;
  b.left.shared[0] = 'S';
  printf("%d %d %s %s\n", a.left.values[1], b.left.values[1], a.left.shared, b.right.shared);
  list[0] = swap(a);
  list[1] = list[0];
  list[2] = swap(swap(list[1]));
  printf("%d %d %d %s\n", list[0].left.values[0], list[2].depth, list[2].left.values[0],
         list[1].left.shared);
  struct tree *p = &list[0], *q = &list[1];
  *p = *p;
  *q = *p;
  printf("%d\n", memcmp(&p->left.values, &q->left.values, sizeof p->left.values));
  return 0;
}
