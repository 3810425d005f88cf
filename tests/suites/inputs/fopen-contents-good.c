// What a file holds is bytes.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  if (file == NULL)
    return 1;
  int c = fgetc(file), d = fgetc(file);
  fclose(file);
  assert(c <= 255 && (c != EOF || d == EOF));
  return 0;
}
