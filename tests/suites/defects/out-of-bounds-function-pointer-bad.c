// The callback chosen from a table writes one element further than its neighbour.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 12
// engines:   run bmc
// sanitizer: address

typedef void writer(int *);

static void write_first(int *to) { to[0] = 1; }

static void write_other(int *to) {
  to[2] = 2;
}

int main(void) {
  static writer *const writers[] = {write_first, write_other};
  int pair[2] = {0, 0};
  for (int i = 0; i < 2; i++)
    writers[i](pair);
  return pair[0] != 1;
}
