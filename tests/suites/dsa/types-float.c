// Memory that is an integer first and a number of the same width later: the integer is not read
// any more.
// regions: {a b c}
// types: {a} {b c}
int main(int argc, char **argv) {
  void *p = __builtin_malloc(4);
  *(int *)p = argc; // @a
  *(float *)p = 2.0f; // @b
  return *(float *)p == 2.0f ? 0 : 1; // @c
}
