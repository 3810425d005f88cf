// Sorts up to eight numbers from standard input, of which there may be more.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 22
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
  while (scanf("%d", &number) == 1)
    numbers[count++] = number;
  sort(numbers, count);
  for (int i = 0; i < count; i++)
    printf("%d\n", numbers[i]);
  return 0;
}
