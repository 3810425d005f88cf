// Repaired twin of: declares an array of variable length zero.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int first(int n) {
  if (n < 1)
    return 0;
  int values[n];
  for (int i = 0; i < n; i++)
    values[i] = i;
  return n > 0 ? values[0] : 0;
}

int main(void) { return first(0); }
