/* <stdlib.h>: the end of the program, and other programs.
 *
 * Handlers run in reverse order of registration; one may register another, which then runs next. A
 * handler that calls exit again is undefined behaviour and fails a library precondition. Inside
 * `main`, returning is the same as calling exit: either way the destructors run, of which one, below,
 * runs the handlers.
 */
#include "foghorn_intrinsics.h"

/* POSIX promises 32; a registration beyond that may fail, and here it does. */
#define HANDLERS 32

static void (*at_exit[HANDLERS])(void);
static int at_exit_count;
static void (*at_quick_exit_[HANDLERS])(void);
static int at_quick_exit_count;
static _Bool exiting;

int atexit(void (*handler)(void)) {
  if (at_exit_count == HANDLERS)
    return -1;
  at_exit[at_exit_count++] = handler;
  return 0;
}

int at_quick_exit(void (*handler)(void)) {
  if (at_quick_exit_count == HANDLERS)
    return -1;
  at_quick_exit_[at_quick_exit_count++] = handler;
  return 0;
}

_Noreturn void exit(int code) {
  __foghorn_check_library(!exiting);
  exiting = 1;
  __foghorn_run_destructors();
  __foghorn_exit(code);
}

/* Models are linked last, so this destructor runs before those of the program. */
__attribute__((destructor)) static void run_handlers(void) {
  while (at_exit_count > 0)
    at_exit[--at_exit_count]();
}

_Noreturn void quick_exit(int code) {
  while (at_quick_exit_count > 0)
    at_quick_exit_[--at_quick_exit_count]();
  __foghorn_exit(code);
}

_Noreturn void _exit(int code) { __foghorn_exit(code); }

_Noreturn void _Exit(int code) { __foghorn_exit(code); }

static void read_string(const char *s) {
  while (*s != 0)
    s++;
}

/* The command is never run; its status can be anything. */
int system(const char *command) {
  if (command != NULL)
    read_string(command);
  return __foghorn_nondet_int();
}
