/* Reads lines `name=value` from a text of unknown contents. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int condition);

#define LENGTH 5
#define NAME 3

struct setting {
  char name[NAME + 1];
  int value;
};

static int digits(const char *text) {
  int value = 0;
  for (; '0' <= *text && *text <= '9'; text++)
    value = 10 * value + (*text - '0');
  return value;
}

static bool read_setting(const char *line, struct setting *setting) {
  const char *equals = strchr(line, '=');
  if (!equals)
    return false;
  setting->value = digits(equals + 1);
  size_t length = (size_t)(equals - line);
  if (length > NAME)
    return false;
  memcpy(setting->name, line, length);
  setting->name[length] = 0;
  return true;
}

int main(void) {
  char line[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++)
    line[i] = __VERIFIER_nondet_char();
  line[LENGTH] = 0;
  struct setting setting;
  if (read_setting(line, &setting)) {
    __VERIFIER_assert(strlen(setting.name) <= NAME);
    __VERIFIER_assert(setting.value >= 0);
  }
  return 0;
}
