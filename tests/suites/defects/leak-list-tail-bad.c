// Cuts a list and forgets what was behind the cut.
// check:     memory-leak
// expect:    unsafe leak @ line 17
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (head == NULL)
    return 1;
  head->next = calloc(1, sizeof *head);
  head->next = NULL;
  free(head);
  return 0;
}
