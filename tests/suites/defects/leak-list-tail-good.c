// Repaired twin of: cuts a list and forgets what was behind the cut.
// check:     memory-leak
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (head == NULL)
    return 1;
  head->next = calloc(1, sizeof *head);
  free(head->next);
  head->next = NULL;
  free(head);
  return 0;
}
