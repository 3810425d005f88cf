// A file may hold anything.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  if (file == NULL)
    return 1;
  int c = fgetc(file), d = fgetc(file);
  fclose(file);
  assert(c != 'o' || d != 'k');
  return 0;
}
