// Frees a list and takes the next pointer from the node that is gone.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 23
// engines:   run bmc
// sanitizer: address

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
  for (struct node *n = list; n != NULL; n = n->next)
    free(n);
  return 0;
}
