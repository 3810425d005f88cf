// Pointers in a list lead to two elements of an array: what is written through one is not in the other.
// check:   assertions
// expect:  unsafe assertion @ line 22
// engines: run bmc
void __VERIFIER_assert(int condition);
struct node { int *p; struct node *next; };
static int a[6] = {5, 5, 5, 5, 5, 5};
static struct node two = {&a[3], 0};
static struct node one = {&a[1], &two};
static int look(struct node *n) {
  *n->p = 7;
  return *n->next->p;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++)
    sum += a[i];
  struct node *n = &one;
  while (n->next->next)
    n = n->next;
  int r = look(n);
  __VERIFIER_assert(r == 7);
  return 0;
}
