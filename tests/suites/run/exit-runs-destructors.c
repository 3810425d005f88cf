// A call of exit runs the handlers and then the destructors, and then ends with its code.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// exit:    3
// stdout: leaving
// stdout: handler
// stdout: destructor

#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor)) static void destructor(void) { puts("destructor"); }

static void handler(void) { puts("handler"); }

int main(void) {
  atexit(handler);
  puts("leaving");
  exit(3);
}
