// The conversions, flags, widths and precisions of printf.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: [42|   42|42   |00042|+42| 42]
// stdout: [ff|FF|0xff|010|0000BEEF|005]
// stdout: [3000000000|44|4464|-5|1099511627776|4|-9|7]
// stdout: [a|  b|c  |text|   right|left    |cu|%]
// stdout: [     1|2     |3.14|x   ]
// stdout: [1.500000|2|1.234568e+04|1E-10|1e+06|     2.000|3.0e+00   |+4.00]
// stdout: [|00042| -007|(nil)]
// stdout: count!
// stdout: 5 7
// stdout: trunc 9

#include <stddef.h>
#include <stdio.h>

int main(void) {
  int n = -1;
  printf("[%d|%5d|%-5d|%05d|%+d|% d]\n", 42, 42, 42, 42, 42, 42);
  printf("[%x|%X|%#x|%#o|%08X|%.3x]\n", 255, 255, 255, 8, 48879, 5);
  printf("[%u|%hhd|%hd|%ld|%lld|%zu|%jd|%td]\n", 3000000000u, 300, 70000, -5L, 1LL << 40, sizeof n,
         (__INTMAX_TYPE__)-9, (ptrdiff_t)7);
  printf("[%c|%3c|%-3c|%s|%8s|%-8s|%.2s|%%]\n", 'a', 'b', 'c', "text", "right", "left", "cut");
  printf("[%*d|%-*d|%.*f|%*s]\n", 6, 1, 6, 2, 2, 3.14159, -4, "x");
  printf("[%f|%.0f|%e|%G|%g|%10.3f|%-10.1e|%+.2f]\n", 1.5, 2.5, 12345.678, 1e-10, 1e6, 2.0, 3.0, 4.0);
  printf("[%.0d|%.5d|%5.3d|%p]\n", 0, 42, -7, (void *)0);
  int length = printf("count%n!\n", &n);
  printf("%d %d\n", n, length);
  char small[6];
  length = snprintf(small, sizeof small, "%s", "truncated");
  printf("%s %d\n", small, length);
  return 0;
}
