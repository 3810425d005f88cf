// What goes to standard error is not on standard output; errno has its text.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// exit:    1
// stdout: Invalid argument
// stdout: put
// stdout: written

#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  fprintf(stderr, "this is for standard error: %d\n", 1);
  errno = ENOMEM;
  perror("allocation");
  printf("%s\n", strerror(EINVAL));
  fputs("put", stdout);
  fputc('\n', stdout);
  fwrite("written\n", 1, 8, stdout);
  fflush(stdout);
  return 1;
}
