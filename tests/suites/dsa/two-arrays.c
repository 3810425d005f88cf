// Two arrays are apart.
// regions: {a} {b}
int main(int argc, char **argv) {
  int *p = __builtin_malloc(40), *q = __builtin_malloc(40);
  p[argc] = 1; // @a
  q[argc] = 2; // @b
  return 0;
}
