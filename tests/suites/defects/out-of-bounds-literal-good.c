// Repaired twin of: reads behind the terminator of a string literal.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int length(const char *text) {
  int n = 0;
  while (text[n] != 0)
    n++;
  return n;
}

int main(void) { return length("abc") > 4; }
