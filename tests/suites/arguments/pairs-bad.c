// Settings as `NAME=VALUE`: an argument without a `=` is read beyond its end.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// args:      a=1 bc
// sanitizer: none: arguments lie side by side on a real machine
#include <stdio.h>

struct setting {
  char name;
  const char *value;
};

static const char *value_of(const char *text) {
  while (*text != '=')
    text++;
  return text + 1;
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
