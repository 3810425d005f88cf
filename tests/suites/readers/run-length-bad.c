// Writes runs of equal bytes as byte and count; a count of 256 would not fit, and the buffer may be full.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 15
// engines: verify
#include <stdio.h>

enum { ROOM = 8 };

static unsigned char packed[ROOM];
static int used;

static int put(int byte, int count) {
  if (used > ROOM)
    return 0;
  packed[used] = (unsigned char)byte;
  packed[used + 1] = (unsigned char)count;
  used += 2;
  return 1;
}

int main(void) {
  int previous = EOF, count = 0, byte;
  while ((byte = getchar()) != EOF) {
    if (byte == previous && count < 255) {
      count++;
      continue;
    }
    if (count > 0 && !put(previous, count))
      return 1;
    previous = byte;
    count = 1;
  }
  if (count > 0)
    put(previous, count);
  fwrite(packed, 1, (size_t)used, stdout);
  return 0;
}
