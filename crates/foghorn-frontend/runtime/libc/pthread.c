/* <pthread.h>: for programs that lock but do not start threads. Locks always succeed and are not
 * remembered, since nobody competes for them; starting a thread and waiting for another one are
 * unsupported. The objects must exist. */
#include "foghorn_intrinsics.h"

#define LOCK(name)                                                                                 \
  int name(void *object) {                                                                         \
    REQUIRE_BYTES(object, 1);                                                                      \
    return 0;                                                                                      \
  }

#define INITIALISE(name)                                                                           \
  int name(void *object, const void *attributes) {                                                 \
    (void)attributes;                                                                              \
    REQUIRE_BYTES(object, 1);                                                                      \
    return 0;                                                                                      \
  }

INITIALISE(pthread_mutex_init)
INITIALISE(pthread_rwlock_init)
INITIALISE(pthread_cond_init)
LOCK(pthread_mutex_destroy)
LOCK(pthread_mutex_lock)
LOCK(pthread_mutex_trylock)
LOCK(pthread_mutex_unlock)
LOCK(pthread_rwlock_destroy)
LOCK(pthread_rwlock_rdlock)
LOCK(pthread_rwlock_wrlock)
LOCK(pthread_rwlock_tryrdlock)
LOCK(pthread_rwlock_trywrlock)
LOCK(pthread_rwlock_unlock)
LOCK(pthread_spin_destroy)
LOCK(pthread_spin_lock)
LOCK(pthread_spin_trylock)
LOCK(pthread_spin_unlock)
LOCK(pthread_cond_destroy)
LOCK(pthread_cond_signal)
LOCK(pthread_cond_broadcast)
LOCK(pthread_mutexattr_init)
LOCK(pthread_mutexattr_destroy)
LOCK(pthread_attr_init)
LOCK(pthread_attr_destroy)

int pthread_spin_init(int *lock, int shared) {
  *lock = shared & 0;
  return 0;
}

int pthread_mutexattr_settype(void *attributes, int type) {
  (void)type;
  REQUIRE_BYTES(attributes, 1);
  return 0;
}

int pthread_cond_wait(void *condition, void *mutex) {
  (void)condition, (void)mutex;
  __foghorn_unsupported("pthread_cond_wait");
}

int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *),
                   void *argument) {
  (void)thread, (void)attributes, (void)start, (void)argument;
  __foghorn_unsupported("pthread_create");
}

int pthread_join(unsigned long thread, void **result) {
  (void)thread, (void)result;
  __foghorn_unsupported("pthread_join");
}

unsigned long pthread_self(void) { return 1; }

int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

int pthread_once(int *control, void (*routine)(void)) {
  if (*control == 0) {
    *control = 2;
    routine();
  }
  return 0;
}

/* Values of keys; destructors would run at the end of threads, of which there are none. */
enum { KEYS = 32 };

static const void *values[KEYS];
static unsigned keys;

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  (void)destructor;
  if (keys == KEYS)
    return 11;
  *key = keys++;
  return 0;
}

int pthread_key_delete(unsigned key) { return key < keys ? 0 : EINVAL; }

void *pthread_getspecific(unsigned key) { return key < keys ? (void *)values[key] : NULL; }

int pthread_setspecific(unsigned key, const void *value) {
  if (key >= keys)
    return EINVAL;
  values[key] = value;
  return 0;
}
