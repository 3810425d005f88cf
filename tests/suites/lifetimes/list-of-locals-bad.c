// A list whose nodes are locals of the loop body.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 20
// engines: run bmc

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *head = 0;
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    struct node n;
    n.next = head;
    n.value = i;
    head = &n;
    if (n.next)
      sum += n.next->value;
  }
  return sum == 100;
}
