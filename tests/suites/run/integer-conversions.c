// Promotions, truncation, sign extension and mixed comparisons.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 0 1 0
// stdout: -32767 4294934529 32769 18446744073709551615
// stdout: 65535 -2 -256
// stdout: fffffff fffffffc
// stdout: -1 4294967295
// stdout: -3 -1 -3 1
// stdout: -128 1

#include <stdio.h>

int main(void) {
  signed char sc = -1;
  unsigned char uc = 255;
  short s = (short)0x8001;
  unsigned u = 1;
  long l = -1;
  printf("%d %d %d\n", sc == uc, sc < (int)u, (unsigned)sc < u);
  printf("%d %u %ld %lu\n", s, (unsigned)s, (long)(unsigned short)s, (unsigned long)l);
  printf("%d %d %d\n", uc << 8 | uc, (signed char)(uc - 1), ~uc);
  printf("%x %x\n", (unsigned)-1 >> 4, (unsigned)(-16 >> 2));
  printf("%lld %llu\n", (long long)u - 2, (unsigned long long)(u - 2));
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  sc = 127;
  sc++;
  printf("%d %d\n", sc, (_Bool)256);
  return 0;
}
