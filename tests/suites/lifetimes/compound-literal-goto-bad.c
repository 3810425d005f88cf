// A jump back within the block meets the same literal, a jump out of it does not.
// check:   memory-safety assertions
// expect:  unsafe use-after-scope @ line 18
// engines: run bmc

struct s {
  int i;
};

int main(void) {
  struct s *p = 0, *q;
  int j = 0;
again: {
  q = p;
  p = &((struct s){j++});
  if (j < 2)
    goto again;
  return q->i;
}
}
