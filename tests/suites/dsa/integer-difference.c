// The length end - begin, kept in one field, does not make two buffers one.
// regions: {a} {b}
struct slice { long length; };
int main(int argc, char **argv) {
  char *p = __builtin_malloc(10), *q = __builtin_malloc(10);
  struct slice *s = __builtin_malloc(sizeof *s);
  s->length = (p + argc) - p;
  s->length = (q + argc) - q;
  *p = 1; // @a
  *q = 2; // @b
  return 0;
}
