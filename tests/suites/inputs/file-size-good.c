// A file that is larger than the buffer is refused.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>

int main(void) {
  char text[16];
  FILE *file = fopen("notes", "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    return 1;
  long size = ftell(file);
  if (size < 0 || size > 16)
    return 1;
  rewind(file);
  if (fread(text, 1, (size_t)size, file) != (size_t)size)
    return 1;
  fclose(file);
  return 0;
}
