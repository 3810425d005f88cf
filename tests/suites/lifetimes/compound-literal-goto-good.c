// Repaired twin of: a jump back within the block meets the same literal, a jump out of it does not.
// check:   memory-safety assertions
// expect:  safe
// engines: run bmc

#include <assert.h>

struct s {
  int i;
};

int main(void) {
  struct s *p = 0, *q;
  int j = 0;
again:
  q = p, p = &((struct s){j++});
  if (j < 2)
    goto again;
  assert(p == q && q->i == 1);
  return 0;
}
