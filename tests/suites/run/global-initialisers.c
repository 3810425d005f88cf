// Initialisers of every shape: addresses, offsets, cycles, strings, functions.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 2 2
// stdout: 3 0 zero ne
// stdout: abc z 0 1
// stdout: called
// stdout: 0.3333 1 8 77 9

#include <stddef.h>
#include <stdio.h>

struct node {
  struct node *next;
  int value;
};

extern struct node second;
static struct node first = {&second, 1};
struct node second = {&first, 2};
static int cells[3][2] = {{1, 2}, {3}, {}};
static int *into = &cells[1][0];
static const char *const words[] = {"zero", "one" + 1, 0};
static char text[8] = "abc", full[3] = "xyz";
static int (*const function)(const char *) = puts;
static double numbers[] = {1 / 3.0, -0.0, 1e300};
static ptrdiff_t distance = offsetof(struct node, value);
static _Bool yes = &cells[0][0] != 0;
static struct {
  char c;
  long l;
} __attribute__((packed)) tight = {'t', 77};

int main(void) {
  printf("%d %d\n", first.next->value, second.next->next->value);
  printf("%d %d %s %s\n", *into, into[2], words[0], words[1]);
  printf("%s %c %d %d\n", text, full[2], text[7], yes);
  function("called");
  printf("%.4f %d %td %ld %zu\n", numbers[0], 1 / numbers[1] < 0, distance, tight.l, sizeof tight);
  return 0;
}
