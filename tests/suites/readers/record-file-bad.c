// A file says itself how many records it has, and is believed.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 23
// engines: verify
#include <stdio.h>

struct header {
  unsigned char version, count;
};

int main(void) {
  FILE *file = fopen("records.dat", "rb");
  if (file == NULL)
    return 1;
  struct header header;
  unsigned short records[6];
  unsigned sum = 0;
  if (fread(&header, sizeof header, 1, file) == 1 && header.version == 3) {
    for (int i = 0; i < header.count; i++) {
      int low = fgetc(file), high = fgetc(file);
      if (low == EOF || high == EOF)
        break;
      records[i] = (unsigned short)(low | high << 8);
      sum += records[i];
    }
  }
  fclose(file);
  printf("%u\n", sum);
  return 0;
}
