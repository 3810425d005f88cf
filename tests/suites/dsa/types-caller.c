// What a function keeps apart its callers keep apart, and the other way round: one caller looks at
// the bytes of what another function fills, so that it is whole in both.
// in: fill
// regions: {a b}
// types: {a b}
static void fill(char *place, unsigned long distance) {
  int *number = (int *)place;
  int **pointer = (int **)(place + distance);
  *number = 1; // @a
  *pointer = number; // @b
}
int main(int argc, char **argv) {
  static char quiet[64], open[64];
  fill(quiet, argc * 8ul);
  fill(open, argc * 8ul);
  return open[0] - 1;
}
