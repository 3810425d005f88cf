// A copy of a structure makes neither the two structures nor their fields one, but what their
// pointers point to.
// regions: {a} {b} {c} {d} {e f}
struct box { int tag; int *content; };
int main(void) {
  struct box *p = __builtin_malloc(sizeof *p), *q = __builtin_malloc(sizeof *q);
  p->tag = 1; // @a
  p->content = __builtin_malloc(4); // @b
  __builtin_memcpy(q, p, sizeof *q);
  q->tag = 2; // @c
  int *r = q->content; // @d
  *r = 3; // @e
  int *s = p->content;
  *s = 4; // @f
  return 0;
}
