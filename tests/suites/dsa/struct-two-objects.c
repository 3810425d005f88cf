// Two objects of one type that never meet are apart.
// regions: {a} {b}
struct pair { int x; int y; };
int main(void) {
  struct pair *p = __builtin_malloc(sizeof *p), *q = __builtin_malloc(sizeof *q);
  p->x = 1; // @a
  q->x = 2; // @b
  return 0;
}
