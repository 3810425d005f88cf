// Repaired twin of: a variadic function stores as many values as its caller counts.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdarg.h>

static void gather(int *out, int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    out[i] = va_arg(list, int);
  va_end(list);
}

int main(void) {
  int out[3];
  gather(out, 3, 10, 20, 30);
  return out[0] != 10;
}
