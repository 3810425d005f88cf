// Repaired twin of: walks past the end of a global table that has no end mark.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int primes[] = {2, 3, 5, 7, 11, 0};

int main(void) {
  int *p = primes;
  int count = 0;
  while (*p != 0) {
    p++;
    count++;
  }
  return count != 5;
}
