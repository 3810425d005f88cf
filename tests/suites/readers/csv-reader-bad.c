// Splits a line of comma separated values into fields; a line may have more of them than expected.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 23
// engines: verify
#include <stdio.h>
#include <string.h>

enum { FIELDS = 4 };

struct record {
  const char *fields[FIELDS];
  int count;
};

static void split(char *line, struct record *record) {
  record->count = 0;
  char *start = line;
  for (char *at = line;; at++) {
    if (*at != ',' && *at != '\n' && *at != 0)
      continue;
    int last = *at != ',';
    *at = 0;
    record->fields[record->count++] = start;
    if (last)
      return;
    start = at + 1;
  }
}

int main(void) {
  char line[16];
  struct record record;
  while (fgets(line, sizeof line, stdin) != NULL) {
    split(line, &record);
    for (int i = 0; i < record.count; i++)
      printf("[%s]", record.fields[i]);
    puts("");
  }
  return 0;
}
