/* The environment as a list: for a program that names `environ`, or whose main takes a third
 * parameter. It is made before the program starts: any number of entries, each any string, with a `=`
 * or not, as execve takes them. The functions of <stdlib.h> that such
 * a program calls are those below, which work on that list, as glibc's do.
 */
#include "foghorn_text.h"

size_t __foghorn_nondet_environment_count(void);
size_t __foghorn_nondet_environment_length(void);

char **environ;

char *__model_outside_entry(void) {
  size_t n = __foghorn_nondet_environment_length() & (LARGEST_TEXT - 1);
  return __model_outside_text(__foghorn_alloc_permanent(n + 1, 1), n);
}

/* Before the constructors of the program. */
__attribute__((constructor(101))) static void __model_outside_environment(void) {
  size_t count = __foghorn_nondet_environment_count() & (LARGEST_COUNT - 1);
  char **vector = __foghorn_alloc_permanent((count + 1) * sizeof *vector, sizeof *vector);
  for (size_t i = 0; i < count; i++)
    vector[i] = __model_outside_entry();
  vector[count] = NULL;
  environ = vector;
}

/* The third argument of main. */
char **__model_outside_environ(void) { return environ; }

/* Where the entry of a name is, or NULL. */
static char **find(const char *name, size_t n) {
  if (environ == NULL)
    return NULL;
  for (char **entry = environ; *entry != NULL; entry++) {
    size_t i = 0;
    while (i < n && (*entry)[i] == name[i])
      i++;
    if (i == n && (*entry)[i] == '=')
      return entry;
  }
  return NULL;
}

char *__model_listed_getenv(const char *name) {
  size_t n = text_length(name);
  char **entry = find(name, n);
  return entry == NULL ? NULL : *entry + n + 1;
}

char *__model_listed_secure_getenv(const char *name) { return __model_listed_getenv(name); }

/* Whether there is room for another string, which is as with malloc. */
static _Bool has_room(void) {
  void *room = malloc(1);
  if (room == NULL)
    errno = ENOMEM;
  free(room);
  return room != NULL;
}

static void append(char *text) {
  size_t count = 0;
  while (environ != NULL && environ[count] != NULL)
    count++;
  char **vector = __foghorn_alloc_permanent((count + 2) * sizeof *vector, sizeof *vector);
  for (size_t i = 0; i < count; i++)
    vector[i] = environ[i];
  vector[count] = text;
  vector[count + 1] = NULL;
  environ = vector;
}

static void put(char *text, size_t n) {
  char **entry = find(text, n);
  if (entry == NULL)
    append(text);
  else
    *entry = text;
}

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

int __model_listed_setenv(const char *name, const char *value, int overwrite) {
  if (!is_name(name))
    return -1;
  size_t n = text_length(name), m = text_length(value);
  if (!overwrite && find(name, n) != NULL)
    return 0;
  if (!has_room())
    return -1;
  char *text = __foghorn_alloc_permanent(n + m + 2, 1);
  for (size_t i = 0; i < n; i++)
    text[i] = name[i];
  text[n] = '=';
  for (size_t i = 0; i <= m; i++)
    text[n + 1 + i] = value[i];
  put(text, n);
  return 0;
}

int __model_listed_unsetenv(const char *name) {
  if (!is_name(name))
    return -1;
  size_t n = text_length(name);
  char **entry;
  while ((entry = find(name, n)) != NULL)
    for (; *entry != NULL; entry++)
      *entry = entry[1];
  return 0;
}

int __model_listed_putenv(char *text) {
  size_t n = 0;
  while (text[n] != 0 && text[n] != '=')
    n++;
  if (text[n] == 0) {
    __model_listed_unsetenv(text);
    return 0;
  }
  if (!has_room())
    return -1;
  put(text, n);
  return 0;
}

int __model_listed_clearenv(void) {
  environ = NULL;
  return 0;
}
