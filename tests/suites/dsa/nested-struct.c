// Fields of a nested structure keep their offsets, whichever way they are reached.
// regions: {a c} {b}
struct inner { int x; int y; };
struct outer { long tag; struct inner in; };
int main(void) {
  struct outer *p = __builtin_malloc(sizeof *p);
  p->in.x = 1; // @a
  p->in.y = 2; // @b
  struct inner *q = &p->in;
  q->x = 3; // @c
  return 0;
}
