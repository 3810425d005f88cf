// Atomic operations of C11 and of the compiler, in one thread.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 5 1 0 20 23 23
// stdout: 127 0 1
// stdout: 1 1 5 5

#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic unsigned char flags;
static atomic_flag once = ATOMIC_FLAG_INIT;

int main(void) {
  int expected = 7, plain = 1;
  printf("%d ", atomic_fetch_add(&counter, 2));
  printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 20));
  expected = 1;
  printf("%d %d ", atomic_compare_exchange_strong(&counter, &expected, 30), expected);
  counter += 3;
  printf("%d %d\n", atomic_load(&counter), atomic_exchange(&counter, 1));
  flags |= 0x81;
  flags ^= 1;
  flags--;
  printf("%d %d %d\n", flags, atomic_flag_test_and_set(&once), atomic_flag_test_and_set(&once));
  printf("%d %d ", __sync_fetch_and_add(&plain, 4), __sync_bool_compare_and_swap(&plain, 5, 8));
  printf("%d %d\n", __atomic_sub_fetch(&plain, 3, __ATOMIC_SEQ_CST), __sync_lock_test_and_set(&plain, 2));
  atomic_thread_fence(memory_order_seq_cst);
  return 0;
}
