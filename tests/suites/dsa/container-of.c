// A generic list with links inside its elements: container_of leads back to the element.
// regions: {a c} {b}
struct link { struct link *next; };
struct item { int value; long other; struct link link; };
static void add(struct link *head, struct link *new) { new->next = head->next; head->next = new; }
int main(int argc, char **argv) {
  struct link head = {0};
  for (int i = 0; i < argc; i++) {
    struct item *item = __builtin_malloc(sizeof *item);
    item->value = i; // @a
    item->other = i; // @b
    add(&head, &item->link);
  }
  struct item *first = (struct item *)((char *)head.next - __builtin_offsetof(struct item, link));
  first->value = 7; // @c
  return 0;
}
