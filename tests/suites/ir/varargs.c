// A variadic function: its arguments lie in an object of the caller.
#include <stdarg.h>

int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) { return sum(2, 3, 4); }
