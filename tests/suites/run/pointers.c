// Pointer arithmetic, pointers to pointers, to arrays, const, and comparison.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 12 21 12
// stdout: nters i
// stdout: 99 1 1
// stdout: 99 4
// stdout: 10

#include <stdint.h>
#include <stdio.h>

static void advance(const char **cursor, int by) { *cursor += by; }

int main(void) {
  int grid[3][4], (*row)[4] = grid;
  for (int i = 0; i < 3; i++, row++)
    for (int j = 0; j < 4; j++)
      (*row)[j] = 10 * i + j;
  int *flat = &grid[0][0], *end = &grid[2][3] + 1;
  printf("%td %d %d\n", end - flat, grid[2][1], *(*(grid + 1) + 2));
  const char *text = "pointers";
  advance(&text, 3);
  printf("%s %c\n", text, text[-1]);
  int **handles[2], *a = flat, *b = flat + 5;
  handles[0] = &a;
  handles[1] = &b;
  **handles[1] = 99;
  printf("%d %d %d\n", grid[1][1], *handles[0] < *handles[1], a + 5 == b);
  uintptr_t address = (uintptr_t)b;
  printf("%d %d\n", *(int *)address, (int)((uintptr_t)(b + 1) - address));
  void *any = grid;
  printf("%d\n", *((int *)((char *)any + 4 * sizeof(int))));
  return 0;
}
