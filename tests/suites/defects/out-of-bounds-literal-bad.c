// Reads behind the terminator of a string literal.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 11
// engines:   run bmc
// sanitizer: address

static int length(const char *text) {
  int n = 0;
  do {
    n++;
  } while (text[n - 1] != 0 || text[n] != 0);
  return n;
}

int main(void) { return length("abc") > 4; }
