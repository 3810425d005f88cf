/* <signal.h>: handlers are remembered and run when the program raises a signal itself. Signals from
 * outside never arrive: a proof assumes that no handler interrupts the program. */
#include "foghorn_intrinsics.h"

typedef void handler(int);

enum { SIGNALS = 65, SIGCHLD = 17, SIGCONT = 18, SIGURG = 23, SIGWINCH = 28 };

#define SIG_DFL ((handler *)0)
#define SIG_IGN ((handler *)1)
#define SIG_ERR ((handler *)-1)

/* Only the first member is of interest; the rest is kept as it is. */
struct sigaction {
  handler *sa_handler;
  char rest[sizeof(long) == 8 ? 144 : 136];
};

static struct sigaction actions[SIGNALS];

static _Bool is_signal(int number) { return number > 0 && number < SIGNALS; }

handler *signal(int number, handler *new_handler) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  handler *previous = actions[number].sa_handler;
  actions[number].sa_handler = new_handler;
  return previous;
}

handler *__sysv_signal(int number, handler *new_handler) { return signal(number, new_handler); }

int sigaction(int number, const struct sigaction *new_action, struct sigaction *old_action) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  if (old_action != NULL)
    *old_action = actions[number];
  if (new_action != NULL)
    actions[number] = *new_action;
  return 0;
}

static _Bool is_ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

int raise(int number) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  handler *current = actions[number].sa_handler;
  if (current == SIG_DFL) {
    if (!is_ignored_by_default(number))
      __foghorn_abort();
  } else if (current != SIG_IGN) {
    current(number);
  }
  return 0;
}

/* glibc's sigset_t: 1024 bits. */
enum { SET_BYTES = 128 };

int sigemptyset(void *set) {
  __builtin_memset(set, 0, SET_BYTES);
  return 0;
}

int sigfillset(void *set) {
  __builtin_memset(set, 255, SET_BYTES);
  return 0;
}

static int change_set(unsigned char *set, int number, _Bool member) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  unsigned bit = (unsigned)number - 1;
  if (member)
    set[bit / 8] = (unsigned char)(set[bit / 8] | 1u << bit % 8);
  else
    set[bit / 8] = (unsigned char)(set[bit / 8] & ~(1u << bit % 8));
  return 0;
}

int sigaddset(void *set, int number) { return change_set(set, number, 1); }

int sigdelset(void *set, int number) { return change_set(set, number, 0); }

int sigismember(const void *set, int number) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  unsigned bit = (unsigned)number - 1;
  return ((const unsigned char *)set)[bit / 8] >> bit % 8 & 1;
}

int sigprocmask(int how, const void *set, void *old_set) {
  (void)how;
  if (set != NULL)
    REQUIRE_BYTES(set, SET_BYTES);
  if (old_set != NULL)
    __builtin_memset(old_set, 0, SET_BYTES);
  return 0;
}
