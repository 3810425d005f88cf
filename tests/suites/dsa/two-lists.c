// Two lists made by the same function do not merge.
// ci: {a b}
// regions: {a} {b}
struct node { struct node *next; int value; };
static struct node *push(struct node *list, int value) {
  struct node *new = __builtin_malloc(sizeof *new);
  new->next = list;
  new->value = value;
  return new;
}
int main(int argc, char **argv) {
  struct node *p = 0, *q = 0;
  for (int i = 0; i < argc; i++) { p = push(p, i); q = push(q, i); }
  p->value = 1; // @a
  q->value = 2; // @b
  return 0;
}
