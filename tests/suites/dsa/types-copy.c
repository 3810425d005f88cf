// A copy and a fill are of all types.
// regions: {a b c d e}
// types: {a c d e} {b c d} {a b c d e}
static char arena[256];
static unsigned long used;
static void *take(unsigned long bytes) {
  void *place = arena + used;
  used += bytes;
  return place;
}
struct pair { int number; int *pointer; };
int main(int argc, char **argv) {
  struct pair *from = take(argc * 16ul), *to = take(sizeof *to);
  __builtin_memset(arena, 0, sizeof arena); // @c
  from->number = 1; // @a
  from->pointer = &from->number; // @b
  *to = *from; // @d
  return to->number - 1; // @e
}
