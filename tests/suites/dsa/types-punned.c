// Breaks the rule of effective types: divided by types, a run does not stay within the regions.
// regions: {a b}
// types: {a} {b}
// types-audit: violated
int main(int argc, char **argv) {
  void *p = __builtin_malloc(4);
  *(int *)p = 0x40000000; // @a
  return *(float *)p == 2.0f ? 0 : 1; // @b
}
