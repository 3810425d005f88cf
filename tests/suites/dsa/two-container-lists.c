// Two generic lists of different elements, linked by one function, do not merge.
// regions: {a} {b}
struct link { struct link *next; };
struct item { int value; struct link link; };
struct thing { struct link link; int value; };
static void add(struct link *head, struct link *new) { new->next = head->next; head->next = new; }
int main(void) {
  struct link items = {0}, things = {0};
  struct item *item = __builtin_malloc(sizeof *item);
  struct thing *thing = __builtin_malloc(sizeof *thing);
  add(&items, &item->link);
  add(&things, &thing->link);
  struct item *i = (struct item *)((char *)items.next - __builtin_offsetof(struct item, link));
  struct thing *t = (struct thing *)things.next;
  i->value = 1; // @a
  t->value = 2; // @b
  return 0;
}
