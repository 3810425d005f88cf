// Constructors run before main by priority, destructors and atexit handlers after it.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 123
// stdout: handler b
// stdout: handler a
// stdout: destructor

#include <stdio.h>
#include <stdlib.h>

static int ready;

__attribute__((constructor(202))) static void second(void) { ready = ready * 10 + 2; }
__attribute__((constructor(201))) static void first(void) { ready = ready * 10 + 1; }
__attribute__((constructor)) static void third(void) { ready = ready * 10 + 3; }
__attribute__((destructor)) static void last(void) { puts("destructor"); }

static void handler_a(void) { puts("handler a"); }
static void handler_b(void) { puts("handler b"); }

int main(void) {
  atexit(handler_a);
  atexit(handler_b);
  printf("%d\n", ready);
  return 0;
}
