// A pointer with a tag in its low bit: the masked pointer points to its own object only.
// regions: {a b} {c}
int main(int argc, char **argv) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  unsigned long tagged = (unsigned long)p | (argc & 1);
  int *r = (int *)(tagged & ~1ul);
  *p = 1; // @a
  *r = 2; // @b
  *q = 3; // @c
  return 0;
}
