// Functions called through a table store through their own arguments.
// regions: {a} {b}
static void first(int *p) { *p = 1; }
static void second(int *p) { *p = 2; }
static void (*table[2])(int *) = { first, second };
int main(int argc, char **argv) {
  int *p = __builtin_malloc(4), *q = __builtin_malloc(4);
  table[argc & 1](p);
  table[argc & 1](q);
  *p = 3; // @a
  *q = 4; // @b
  return 0;
}
