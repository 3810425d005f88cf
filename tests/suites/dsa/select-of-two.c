// A pointer that may be either of two makes the two one.
// regions: {a b c} {d}
int main(int argc, char **argv) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4), *s = __builtin_malloc(4);
  int *r = argc > 1 ? p : q;
  *p = 1; // @a
  *q = 2; // @b
  *r = 3; // @c
  *s = 4; // @d
  return 0;
}
