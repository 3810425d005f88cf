// Repaired twin of: a list that a global leads to is no leak; one whose head was lost is.
// check:   memory-leak
// expect:  safe
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
  head = a;
  return 0;
}
