// Settings as `NAME=VALUE`: an argument without a `=` has no value.
// check:     memory-safety
// expect:    safe
// engines:   run
// args:      a=1 bc=2
// stdout: a is 1
// stdout: b is 2
#include <stdio.h>

struct setting {
  char name;
  const char *value;
};

static const char *value_of(const char *text) {
  while (*text != 0 && *text != '=')
    text++;
  return *text == 0 ? text : text + 1;
}

int main(int argc, char **argv) {
  struct setting settings[4];
  int count = 0;
  for (int i = 1; i < argc && count < 4; i++) {
    settings[count].name = argv[i][0];
    settings[count].value = value_of(argv[i]);
    count++;
  }
  for (int i = 0; i < count; i++)
    printf("%c is %s\n", settings[i].name, settings[i].value);
  return 0;
}
