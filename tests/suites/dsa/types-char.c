// A character may be a byte of anything: one access of that type and the types say nothing.
// regions: {a b c}
// types: {a b c}
static char arena[256];
static unsigned long used;
static void *take(unsigned long bytes) {
  void *place = arena + used;
  used += bytes;
  return place;
}
int main(int argc, char **argv) {
  int *number = take(argc * 8ul);
  int **pointer = take(8);
  *number = 1; // @a
  *pointer = number; // @b
  return *(char *)number - 1; // @c
}
