// Declares an array of variable length zero.
// check:     undefined
// expect:    unsafe vla-bound @ line 8
// engines:   run bmc
// sanitizer: undefined

static int first(int n) {
  int values[n];
  for (int i = 0; i < n; i++)
    values[i] = i;
  return n > 0 ? values[0] : 0;
}

int main(void) { return first(0); }
