// Counts the primes below two hundred.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc absint
// exit:    46

#include <string.h>

int main(void) {
  static char composite[200];
  int count = 0;
  memset(composite, 0, sizeof composite);
  for (int i = 2; i < 200; i++) {
    if (composite[i])
      continue;
    count++;
    for (int j = i * i; j < 200; j += i)
      composite[j] = 1;
  }
  return count;
}
