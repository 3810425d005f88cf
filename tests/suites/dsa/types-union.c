// Members of a union may be read as what they are not.
// regions: {a b c} {d}
// types: {a b c} {d}
union overlay { int bits; float number; };
struct holder { union overlay u; int rest; };
int main(void) {
  struct holder *p = __builtin_malloc(sizeof *p);
  p->u.number = 0.0f; // @a
  int bits = p->u.bits; // @b
  int *through = &p->u.bits;
  *through = bits; // @c
  p->rest = 3; // @d
  return bits;
}
