// A list that a global leads to is no leak; one whose head was lost is.
// check:   memory-leak
// expect:  unsafe leak @ line 14
// engines: run bmc

#include <stdlib.h>

struct node {
  struct node *next;
  int value;
} *head;

int main(void) {
  struct node *a = malloc(sizeof *a);
  struct node *b = malloc(sizeof *b);
  a->next = b;
  b->next = 0;
  head = b;
  return 0;
}
