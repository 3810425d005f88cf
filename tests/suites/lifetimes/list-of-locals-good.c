// Repaired twin of: a list whose nodes are locals of the loop body.
// check:   memory-safety
// expect:  safe
// engines: run bmc

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *head = 0;
  struct node nodes[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = &nodes[i];
    n->next = head;
    n->value = i;
    head = n;
    if (n->next)
      sum += n->next->value;
  }
  return sum == 100;
}
