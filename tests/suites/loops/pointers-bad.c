// One of the pointers walks too fast.
// check:   memory-safety
// expect:  unsafe out-of-bounds @ line 8
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
static void copy(char *to, const char *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    *to = *from++;
    to += 2;
  }
}
int main(void) {
  char x[8] = "abcdefg", y[8];
  copy(y, x, 8);
  return y[0] == 'b';
}
