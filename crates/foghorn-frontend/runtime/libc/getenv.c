/* <stdlib.h>: variables of the environment, for a program that asks for them by name and never looks
 * at the whole list (environment.c has that).
 *
 * A variable is decided when it is asked for first: it is not set, or it is any string. It stays what
 * it is until the program changes it, and then it is what the program made it.
 */
#include "foghorn_text.h"

int __foghorn_nondet_environment_has(void);
size_t __foghorn_nondet_environment_length(void);

struct variable {
  const char *name;
  /* NULL if it is not set. */
  char *value;
  struct variable *next;
};

static struct variable *known;
/* Whether what is not known is not set. */
static _Bool cleared;

char *__model_outside_variable(void) {
  size_t n = __foghorn_nondet_environment_length() & (LARGEST_TEXT - 1);
  return __model_outside_text(__foghorn_alloc_permanent(n + 1, 1), n);
}

/* The n characters of a name, to be kept. */
char *__model_outside_name(const char *name, size_t n) {
  char *own = __foghorn_alloc_permanent(n + 1, 1);
  for (size_t i = 0; i < n; i++)
    own[i] = name[i];
  own[n] = 0;
  return own;
}

static _Bool is(const struct variable *variable, const char *name, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (variable->name[i] != name[i])
      return 0;
  return variable->name[n] == 0;
}

static struct variable *find(const char *name, size_t n) {
  for (struct variable *variable = known; variable != NULL; variable = variable->next)
    if (is(variable, name, n))
      return variable;
  struct variable *variable = __foghorn_alloc_permanent(sizeof *variable, sizeof variable);
  variable->name = __model_outside_name(name, n);
  variable->value = NULL;
  variable->next = known;
  known = variable;
  return variable;
}

/* A variable that nobody has asked for is found out about. */
static struct variable *look_up(const char *name, size_t n) {
  struct variable *before = known;
  struct variable *variable = find(name, n);
  if (known != before && !cleared && (__foghorn_nondet_environment_has() & 1))
    variable->value = __model_outside_variable();
  return variable;
}

char *getenv(const char *name) { return look_up(name, text_length(name))->value; }

char *secure_getenv(const char *name) { return getenv(name); }

static _Bool is_name(const char *name) {
  if (name == NULL || *name == 0) {
    errno = EINVAL;
    return 0;
  }
  for (; *name != 0; name++)
    if (*name == '=') {
      errno = EINVAL;
      return 0;
    }
  return 1;
}

/* Whether there is room for another string, which is as with malloc. */
static _Bool has_room(void) {
  void *room = malloc(1);
  if (room == NULL)
    errno = ENOMEM;
  free(room);
  return room != NULL;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (!is_name(name))
    return -1;
  size_t n = text_length(name), m = text_length(value);
  if (!overwrite && look_up(name, n)->value != NULL)
    return 0;
  if (!has_room())
    return -1;
  char *own = __foghorn_alloc_permanent(m + 1, 1);
  for (size_t i = 0; i <= m; i++)
    own[i] = value[i];
  find(name, n)->value = own;
  return 0;
}

int unsetenv(const char *name) {
  if (!is_name(name))
    return -1;
  find(name, text_length(name))->value = NULL;
  return 0;
}

/* The text itself becomes part of the environment. */
int putenv(char *text) {
  size_t n = 0;
  while (text[n] != 0 && text[n] != '=')
    n++;
  if (text[n] != 0 && !has_room())
    return -1;
  find(text, n)->value = text[n] == 0 ? NULL : text + n + 1;
  return 0;
}

int clearenv(void) {
  for (struct variable *variable = known; variable != NULL; variable = variable->next)
    variable->value = NULL;
  cleared = 1;
  return 0;
}
