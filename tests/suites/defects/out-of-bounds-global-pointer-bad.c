// Walks past the end of a global table that has no end mark.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 12
// engines:   run bmc
// sanitizer: address

static int primes[] = {2, 3, 5, 7, 11};

int main(void) {
  int *p = primes;
  int count = 0;
  while (*p != 0) {
    p++;
    count++;
  }
  return count != 5;
}
