/* A sorted list on the heap. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

#define LENGTH 3

struct node {
  int value;
  struct node *next;
};

static void insert(struct node **list, int value) {
  while (*list && (*list)->value < value)
    list = &(*list)->next;
  struct node *node = malloc(sizeof *node);
  if (!node)
    return;
  node->value = value;
  node->next = *list;
  *list = node;
}

static void erase(struct node **list, int value) {
  struct node *previous = NULL;
  for (struct node *node = *list; node; node = node->next) {
    if (node->value == value) {
      if (previous)
        previous->next = node->next;
      else
        *list = node->next;
      free(node);
      return;
    }
    previous = node;
  }
}

static void destroy(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < LENGTH; i++)
    insert(&list, __VERIFIER_nondet_int());
  erase(&list, __VERIFIER_nondet_int());
  for (struct node *node = list; node && node->next; node = node->next)
    __VERIFIER_assert(node->value <= node->next->value);
  destroy(list);
  return 0;
}
