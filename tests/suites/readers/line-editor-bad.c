// A line editor: `a` appends a line, `d N` deletes one, though there may be none of that number.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 27
// engines: verify
#include <stdio.h>
#include <string.h>

enum { LINES = 4, WIDTH = 8 };

static char lines[LINES][WIDTH];
static int count;

static void append(const char *text) {
  if (count == LINES)
    return;
  strncpy(lines[count], text, WIDTH - 1);
  lines[count][WIDTH - 1] = 0;
  count++;
}

static void delete_line(int number) {
  if (number < 0)
    return;
  for (int i = number; i < count - 1; i++)
    strcpy(lines[i], lines[i + 1]);
  count--;
  lines[count][0] = 0;
}

int main(void) {
  char command[12];
  while (fgets(command, sizeof command, stdin) != NULL) {
    if (command[0] == 'a' && command[1] == ' ')
      append(command + 2);
    else if (command[0] == 'd' && command[1] == ' ')
      delete_line(command[2] - '0');
    else if (command[0] == 'q')
      break;
  }
  for (int i = 0; i < count; i++)
    printf("%s\n", lines[i]);
  return 0;
}
