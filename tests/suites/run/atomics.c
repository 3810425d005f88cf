// Atomic operations of C11 and of the compiler, in one thread.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 5 1
// stdout: 0 20
// stdout: 23 1
// stdout: 127 0 1
// stdout: 1 1 8
// stdout: 5 5 2

#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic unsigned char flags;
static atomic_flag once = ATOMIC_FLAG_INIT;

int main(void) {
  int expected = 7, plain = 1;
  int before = atomic_fetch_add(&counter, 2);
  int swapped = atomic_compare_exchange_strong(&counter, &expected, 20);
  printf("%d %d\n", before, swapped);
  expected = 1;
  swapped = atomic_compare_exchange_strong(&counter, &expected, 30);
  printf("%d %d\n", swapped, expected);
  counter += 3;
  before = atomic_exchange(&counter, 1);
  printf("%d %d\n", before, atomic_load(&counter));
  flags |= 0x81;
  flags ^= 1;
  flags--;
  int first = atomic_flag_test_and_set(&once), second = atomic_flag_test_and_set(&once);
  printf("%d %d %d\n", flags, first, second);
  first = __sync_fetch_and_add(&plain, 4);
  second = __sync_bool_compare_and_swap(&plain, 5, 8);
  printf("%d %d %d\n", first, second, plain);
  first = __atomic_sub_fetch(&plain, 3, __ATOMIC_SEQ_CST);
  second = __sync_lock_test_and_set(&plain, 2);
  printf("%d %d %d\n", first, second, plain);
  atomic_thread_fence(memory_order_seq_cst);
  return 0;
}
