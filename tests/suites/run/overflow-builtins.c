// The overflow, bit-counting, byte-swapping and rotating builtins.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 1 -2147483648
// stdout: 1 -2147479015
// stdout: 1 4294967294
// stdout: 0 4611686018427387904
// stdout: 0 255
// stdout: 1 0
// stdout: 8 31 3 0
// stdout: 64 23 1
// stdout: 78563412 807060504030201 cdab
// stdout: 18 c8

#include <limits.h>
#include <stdio.h>

int main(void) {
  int i, wrong;
  unsigned u;
  long long l;
  unsigned char c;
  wrong = __builtin_add_overflow(INT_MAX, 1, &i);
  printf("%d %d\n", wrong, i);
  wrong = __builtin_mul_overflow(46341, 46341, &i);
  printf("%d %d\n", wrong, i);
  wrong = __builtin_sub_overflow(3u, 5u, &u);
  printf("%d %u\n", wrong, u);
  wrong = __builtin_mul_overflow(1LL << 40, 1 << 22, &l);
  printf("%d %lld\n", wrong, l);
  wrong = __builtin_add_overflow(200, 55, &c);
  printf("%d %d\n", wrong, c);
  wrong = __builtin_add_overflow(200, 56, &c);
  printf("%d %d\n", wrong, c);
  printf("%d %d %d %d\n", __builtin_popcount(0xf0f0u), __builtin_clz(1u), __builtin_ctz(8u),
         __builtin_ffs(0));
  printf("%d %d %d\n", __builtin_popcountll(~0ull), __builtin_clzll(1ull << 40), __builtin_parity(7u));
  printf("%x %llx %x\n", __builtin_bswap32(0x12345678u), __builtin_bswap64(0x0102030405060708ull),
         __builtin_bswap16(0xabcd));
  printf("%x %x\n", __builtin_rotateleft32(0x80000001u, 4), __builtin_bitreverse8(0x13));
  return 0;
}
