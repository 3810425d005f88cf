// Two fields of one object passed to one call are apart in the callee.
// in: both
// regions: {a} {b}
struct pair { int x; int y; };
static void both(int *p, int *q) {
  *p = 1; // @a
  *q = 2; // @b
}
int main(void) {
  struct pair *p = __builtin_malloc(sizeof *p);
  both(&p->x, &p->y);
  return 0;
}
