// All nodes of one list are one, their fields apart.
// regions: {a c} {b}
struct node { struct node *next; int value; };
int main(int argc, char **argv) {
  struct node *p = 0;
  for (int i = 0; i < argc; i++) {
    struct node *new = __builtin_malloc(sizeof *new);
    new->value = i; // @a
    new->next = p; // @b
    p = new;
  }
  struct node *second = p->next;
  second->value = 1; // @c
  return 0;
}
