// Decodes base64 by a table that is indexed by unsigned characters.
// check:   assertions memory-safety integer-overflow undefined
// expect:  safe
// engines: verify
#include <stdio.h>

static signed char values[128];

static void prepare(void) {
  const char *letters = "ABCDEFGH";
  for (int i = 0; i < 128; i++)
    values[i] = -1;
  for (int i = 0; letters[i] != 0; i++)
    values[(int)letters[i]] = (signed char)i;
}

static int value_of(char c) {
  return (unsigned char)c < 128 ? values[(unsigned char)c] : -1;
}

int main(void) {
  char line[10];
  prepare();
  while (fgets(line, sizeof line, stdin) != NULL) {
    unsigned bits = 0;
    int count = 0;
    for (int i = 0; line[i] != 0 && line[i] != '\n' && count < 4; i++) {
      int value = value_of(line[i]);
      if (value < 0)
        continue;
      bits = bits << 6 | (unsigned)value;
      count++;
    }
    if (count == 4)
      printf("%c%c%c", bits >> 16 & 255, bits >> 8 & 255, bits & 255);
  }
  return 0;
}
