// A stack block of variable size is filled beyond its end.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 10
// engines:   run bmc
// sanitizer: address

static int fill(int n) {
  char *block = __builtin_alloca(n);
  for (int i = 0; i < n + 4; i++)
    block[i] = 'a';
  return block[0];
}

int main(void) { return fill(5) != 'a'; }
