/* A ring buffer for bytes. */
#include <stdbool.h>
#include <stddef.h>

unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int condition);

#define CAPACITY 3
#define OPERATIONS 6

struct ring {
  unsigned char data[CAPACITY];
  size_t head, length;
};

static size_t wrap(size_t position) {
  if (position >= CAPACITY)
    position -= CAPACITY;
  return position;
}

static bool put(struct ring *ring, unsigned char byte) {
  if (ring->length == CAPACITY)
    return false;
  ring->data[wrap(ring->head + ring->length)] = byte;
  ring->length++;
  return true;
}

static bool get(struct ring *ring, unsigned char *byte) {
  if (ring->length == 0)
    return false;
  *byte = ring->data[ring->head];
  ring->head = wrap(ring->head + 1);
  ring->length--;
  return true;
}

int main(void) {
  struct ring ring = {0};
  unsigned char last_put = 0, byte = 0;
  for (int i = 0; i < OPERATIONS; i++) {
    if (__VERIFIER_nondet_bool()) {
      unsigned char next = __VERIFIER_nondet_uchar();
      if (put(&ring, next))
        last_put = next;
    } else if (get(&ring, &byte) && ring.length == 0) {
      /* What was put in last comes out last. */
      __VERIFIER_assert(byte == last_put);
    }
  }
  return 0;
}
