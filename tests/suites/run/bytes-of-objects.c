// The bytes of integers, floats and structs, read and written as characters.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 4 3 2 1
// stdout: ff020304
// stdout: -1.0
// stdout: 0 12
// stdout: 3e200000 1

#include <stdio.h>
#include <string.h>

struct mixed {
  char c;
  int i;
  short s;
};

int main(void) {
  unsigned n = 0x01020304;
  unsigned char *bytes = (unsigned char *)&n, copy[sizeof(double)];
  printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
  bytes[3] = 0xff;
  printf("%x\n", n);
  double d = 1.0, e;
  memcpy(copy, &d, sizeof d);
  copy[7] |= 0x80;
  memcpy(&e, copy, sizeof e);
  printf("%.1f\n", e);
  struct mixed m, z;
  memset(&m, 0, sizeof m);
  memset(&z, 0, sizeof z);
  m.i = z.i = 5;
  printf("%d %zu\n", memcmp(&m, &z, sizeof m), sizeof m);
  float f = 0.15625f;
  unsigned bits;
  memcpy(&bits, &f, sizeof bits);
  printf("%08x %d\n", bits, *(char *)&(int){1});
  return 0;
}
