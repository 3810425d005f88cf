/* A queue of fixed capacity. */
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int condition);

#define CAPACITY 4
#define OPERATIONS 6

struct queue {
  int count;
  int items[CAPACITY];
};

static int is_full(const struct queue *queue) { return queue->count == CAPACITY; }

static int push(struct queue *queue, int item) {
  if (is_full(queue))
    return 0;
  queue->items[queue->count] = item;
  queue->count++;
  return 1;
}

static int pop(struct queue *queue, int *item) {
  if (queue->count == 0)
    return 0;
  *item = queue->items[0];
  queue->count--;
  for (int i = 0; i < queue->count; i++)
    queue->items[i] = queue->items[i + 1];
  return 1;
}

int main(void) {
  struct queue queue = {0};
  for (int i = 0; i < OPERATIONS; i++) {
    int item = 0;
    if (__VERIFIER_nondet_bool())
      push(&queue, __VERIFIER_nondet_int());
    else
      pop(&queue, &item);
    __VERIFIER_assert(0 <= queue.count && queue.count <= CAPACITY);
  }
  return 0;
}
