// Does not ask whether the search found anything.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 12
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char line[] = "key value";
  char *equals = strchr(line, '=');
  *equals = 0;
  return line[0] != 'k';
}
