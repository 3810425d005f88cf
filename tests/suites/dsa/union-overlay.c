// Members of a union that overlap are one; what lies beside them is apart.
// regions: {a b} {c}
union overlay { long whole; int half; };
struct holder { union overlay u; int rest; };
int main(void) {
  struct holder *p = __builtin_malloc(sizeof *p);
  p->u.whole = 1; // @a
  p->u.half = 2; // @b
  p->rest = 3; // @c
  return 0;
}
