/* The C++ ABI: destructors of objects with static life, and the initialisation of those in
 * functions. */
#include "foghorn_intrinsics.h"

int atexit(void (*handler)(void));

#define DESTRUCTORS 32

static void (*destructors[DESTRUCTORS])(void *);
static void *objects[DESTRUCTORS];
static int count;

/* One entry of atexit's list for each destructor keeps the order between both kinds. */
static void destroy_last(void) {
  count--;
  destructors[count](objects[count]);
}

int __cxa_atexit(void (*destructor)(void *), void *object, void *library) {
  (void)library;
  if (count == DESTRUCTORS || atexit(destroy_last) != 0)
    __foghorn_unsupported("more than 32 destructors of objects with static life");
  destructors[count] = destructor;
  objects[count] = object;
  count++;
  return 0;
}

/* The first byte says whether the object is initialised. An initialisation that enters itself is
 * undefined; the second byte tells. */
int __cxa_guard_acquire(char *guard) {
  if (guard[0] != 0)
    return 0;
  __foghorn_check_library(guard[1] == 0);
  guard[1] = 1;
  return 1;
}

void __cxa_guard_release(char *guard) {
  guard[0] = 1;
  guard[1] = 0;
}

void __cxa_guard_abort(char *guard) { guard[1] = 0; }
