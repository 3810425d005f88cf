// Prints standard input in rows of 16 bytes, with room for the end of the text.
// check:   assertions memory-safety integer-overflow undefined
// expect:  safe
// engines: verify
#include <stdio.h>

enum { ROW = 16 };

static void show(unsigned long address, const unsigned char *row, size_t count) {
  char text[ROW + 1];
  printf("%08lx ", address);
  for (size_t i = 0; i < count; i++) {
    printf(" %02x", row[i]);
    text[i] = row[i] >= ' ' && row[i] < 127 ? (char)row[i] : '.';
  }
  text[count] = 0;
  printf("  %s\n", text);
}

int main(void) {
  unsigned char row[ROW];
  unsigned long address = 0;
  size_t count;
  while ((count = fread(row, 1, sizeof row, stdin)) > 0) {
    show(address, row, count);
    address += count;
  }
  return ferror(stdin) ? 1 : 0;
}
