// Sorts the first eight numbers from standard input.
// check:   assertions memory-safety integer-overflow undefined
// expect:  safe
// engines: verify
#include <stdio.h>

enum { MOST = 8 };

static void sort(int *numbers, int count) {
  for (int i = 1; i < count; i++) {
    int number = numbers[i], at = i;
    for (; at > 0 && numbers[at - 1] > number; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

int main(void) {
  int numbers[MOST];
  int count = 0, number;
  while (count < MOST && scanf("%d", &number) == 1)
    numbers[count++] = number;
  sort(numbers, count);
  for (int i = 0; i < count; i++)
    printf("%d\n", numbers[i]);
  return 0;
}
