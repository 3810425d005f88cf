// _Generic, _Static_assert, typeof, _Alignof and _Alignas.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: int unsigned double text other
// stdout: 8 32 0
// stdout: main

#include <stdint.h>
#include <stdio.h>

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "text", default: "other")

_Static_assert(sizeof(uint16_t) == 2, "two bytes");

struct aligned {
  char c;
  _Alignas(16) char d;
};

int main(void) {
  __typeof__(1.5f * 2) f = 3;
  _Alignas(32) char block[3];
  printf("%s %s %s %s %s\n", NAME(1), NAME(1u), NAME(1.0), NAME((char *)0), NAME(f));
  printf("%zu %zu %d\n", _Alignof(double), sizeof(struct aligned), (int)((uintptr_t)block % 32));
  printf("%s\n", __func__);
  return 0;
}
