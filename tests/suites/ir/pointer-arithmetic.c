// Steps, differences and comparisons of pointers; conversion to an integer and back.
#include <stdint.h>

long walk(const int *begin, const int *end) {
  long sum = 0;
  for (const int *at = begin; at < end; at++)
    sum += *at;
  return sum + (end - begin);
}

int round_trip(int *p) {
  uintptr_t address = (uintptr_t)p;
  return *(int *)(address & ~(uintptr_t)3);
}

int main(void) {
  int values[2] = {4, 5};
  return (int)walk(values, values + 2) + round_trip(values) + (&values[1] == values);
}
