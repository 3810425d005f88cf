// All elements of an array that is indexed are one.
// regions: {a b}
int main(int argc, char **argv) {
  int *p = __builtin_malloc(40);
  p[argc] = 1; // @a
  p[3] = 2; // @b
  return 0;
}
