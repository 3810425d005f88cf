// Integers and pointers that one piece of memory holds at places that are not known are apart by
// their types.
// regions: {a b}
// types: {a} {b}
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
  return **pointer - 1;
}
