// Elements at constant indices are apart as long as nobody indexes the array otherwise.
// regions: {a} {b}
int main(void) {
  int *p = __builtin_malloc(8);
  p[0] = 1; // @a
  p[1] = 2; // @b
  return 0;
}
