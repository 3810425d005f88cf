// A list built, reversed, sorted by insertion and freed.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 4 6 1 3 5 0 
// stdout: 0 5 3 1 6 4 
// stdout: 0 1 3 4 5 6 

#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL)
    abort();
  *n = (struct node){value, list};
  return n;
}

static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static void insert(struct node **where, struct node *n) {
  while (*where && (*where)->value < n->value)
    where = &(*where)->next;
  n->next = *where;
  *where = n;
}

static void show(const struct node *n) {
  for (; n; n = n->next)
    printf("%d ", n->value);
  printf("\n");
}

int main(void) {
  struct node *list = NULL, *sorted = NULL;
  for (int i = 0; i < 6; i++)
    list = push(list, i * 5 % 7);
  show(list);
  list = reverse(list);
  show(list);
  while (list) {
    struct node *next = list->next;
    insert(&sorted, list);
    list = next;
  }
  show(sorted);
  while (sorted) {
    struct node *next = sorted->next;
    free(sorted);
    sorted = next;
  }
  return 0;
}
