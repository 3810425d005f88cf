// 128-bit integers: multiplication, division, shifts, comparison, and passing them.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 100000000000000000000000000000000000000
// stdout: 1852420494776315202933
// stdout: 42535295865117307932921825928971026431
// stdout: 422550200076076467165567735125
// stdout: 1 1 fffffffffffffff0

#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

static void print(u128 v) {
  char digits[40];
  int n = 0;
  do {
    digits[n++] = (char)('0' + (int)(v % 10));
    v /= 10;
  } while (v);
  while (n)
    putchar(digits[--n]);
  putchar('\n');
}

static u128 power(u128 base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }

int main(void) {
  print(power(10, 38));
  print(power(3, 80) / power(7, 20));
  print(~(u128)0 >> 3);
  s128 negative = -(s128)power(2, 100);
  print((u128)(negative / -3));
  printf("%d %d %llx\n", negative < 0, negative < (s128)1, (unsigned long long)(negative >> 96));
  return 0;
}
