// Reads `key=value` lines; one without an equals sign has no value.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe null-dereference @ line 13
// engines: verify
#include <stdio.h>
#include <string.h>

static int level;

static int set(char *line) {
  char *equals = strchr(line, '=');

  *equals = 0;
  char *value = equals + 1;
  if (strcmp(line, "level") == 0 && value[0] >= '0' && value[0] <= '9')
    level = value[0] - '0';
  return 1;
}

int main(void) {
  char line[16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (line[0] == '#' || line[0] == '\n')
      continue;
    if (!set(line))
      fprintf(stderr, "not understood: %s\n", line);
  }
  printf("level %d\n", level);
  return 0;
}
