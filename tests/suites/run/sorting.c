// qsort and bsearch over integers, structs and strings.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 0 7 14 21 28 35 42 49 56 63 70 77 84 91 98 105 112 119 126 133 
// stdout: 1 1
// stdout: abc
// stdout: apple date fig pear

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  char name[4];
};

static int by_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) {
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
  int numbers[20], seven = 7, eight = 8;
  for (int i = 0; i < 20; i++)
    numbers[i] = i * 7 % 20 * 7;
  qsort(numbers, 20, sizeof *numbers, by_int);
  for (int i = 0; i < 20; i++)
    printf("%d ", numbers[i]);
  int *found = bsearch(&seven, numbers, 20, sizeof *numbers, by_int);
  printf("\n%td %d\n", found - numbers, bsearch(&eight, numbers, 20, sizeof *numbers, by_int) == NULL);
  struct item items[] = {{3, "c"}, {1, "a"}, {2, "b"}};
  qsort(items, 3, sizeof *items, by_key);
  printf("%s%s%s\n", items[0].name, items[1].name, items[2].name);
  const char *words[] = {"pear", "apple", "fig", "date"};
  qsort(words, 4, sizeof *words, by_text);
  printf("%s %s %s %s\n", words[0], words[1], words[2], words[3]);
  return 0;
}
