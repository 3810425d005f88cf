// Repaired twin of: a stack block of variable size is filled beyond its end.
// check:     memory-safety
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int fill(int n) {
  char *block = __builtin_alloca(n);
  for (int i = 0; i < n; i++)
    block[i] = 'a';
  return block[0];
}

int main(void) { return fill(5) != 'a'; }
