// Atomic operations are plain ones in one thread.
#include <stdatomic.h>

int bump(atomic_int *counter, int expected) {
  atomic_fetch_add(counter, 2);
  atomic_compare_exchange_strong(counter, &expected, 9);
  return atomic_load(counter) + expected;
}

int main(void) {
  atomic_int counter = 1;
  return bump(&counter, 3);
}
