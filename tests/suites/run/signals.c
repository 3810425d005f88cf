// A handler that raise runs, an ignored signal, and the handler that was there before.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 1
// stdout: 20
// stdout: 1 0
// stdout: 0 0 35

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;

static void handler(int number) { seen += number; }

int main(void) {
  void (*before)(int) = signal(SIGUSR1, handler);
  printf("%d\n", before == SIG_DFL);
  raise(SIGUSR1);
  raise(SIGUSR1);
  printf("%d\n", seen);
  before = signal(SIGUSR1, SIG_IGN);
  printf("%d %d\n", before == handler, raise(SIGUSR1));
  struct sigaction action = {.sa_handler = handler};
  sigemptyset(&action.sa_mask);
  int set = sigaction(SIGTERM, &action, NULL), raised = raise(SIGTERM);
  printf("%d %d %d\n", set, raised, seen);
  return 0;
}
