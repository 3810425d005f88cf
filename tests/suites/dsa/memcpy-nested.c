// A copy of a nested structure leaves the fields around it alone.
// regions: {a} {b} {c} {d}
struct inner { int x; int y; };
struct outer { int tag; struct inner in; int end; };
int main(void) {
  struct outer *p = __builtin_malloc(sizeof *p);
  struct inner *q = __builtin_malloc(sizeof *q);
  p->tag = 1; // @a
  p->in.x = 2; // @b
  p->end = 3; // @c
  __builtin_memcpy(q, &p->in, sizeof *q);
  q->x = 4; // @d
  return 0;
}
