// Two integers that are handed over in one register are accessed as a wider one that has no type.
// regions: {a b c}
// types: {a b c}
struct pair { int first, second; };
static int sum(struct pair p) { return p.first + p.second; }
static char arena[256];
static unsigned long used;
static void *take(unsigned long bytes) {
  void *place = arena + used;
  used += bytes;
  return place;
}
int main(int argc, char **argv) {
  struct pair *numbers = take(argc * 8ul);
  long *wide = take(8);
  numbers->first = 1; // @a
  numbers->second = -1;
  *wide = 7; // @b
  return sum(*numbers); // @c
}
