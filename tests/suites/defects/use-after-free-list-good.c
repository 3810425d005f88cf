// Repaired twin of: frees a list and takes the next pointer from the node that is gone.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *cons(struct node *next) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL)
    exit(1);
  n->next = next;
  return n;
}

int main(void) {
  struct node *list = cons(cons(cons(NULL)));
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
