// Breaks the rule of effective types: a copy has the type of what it is a copy of.
// regions: {a c} {b c} {a b c}
// types: {a c} {b c} {a b c}
// types-audit: violated
int main(int argc, char **argv) {
  void *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  *(int *)p = 0x40000000; // @a
  __builtin_memcpy(q, p, 4); // @c
  return *(float *)q == 2.0f ? 0 : 1; // @b
}
