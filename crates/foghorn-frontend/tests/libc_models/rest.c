/* Streams and allocation, and the checks that must fail on misuse. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdlib.h>
#include <string.h>

typedef void file;
extern file *model_stdin, *model_stdout;
void *model_realloc(void *, size_t), *model_reallocarray(void *, size_t, size_t);
void *model_aligned_alloc(size_t, size_t);
int model_posix_memalign(void **, size_t, size_t);
int model_getchar(void), model_ungetc(int, file *), model_puts(const char *);
int model_fputs(const char *, file *), model_putchar(int), model_feof(file *);
char *model_fgets(char *, int, file *);
long model_getline(char **, size_t *, file *);
size_t model_fread(void *, size_t, size_t, file *), model_fwrite(const void *, size_t, size_t, file *);
file *model_fopen(const char *, const char *);
int model_fclose(file *), model_fgetc(file *);
void model_clearerr(file *);
char *model_getenv(const char *), *model___model_listed_getenv(const char *);
int model_setenv(const char *, const char *, int), model_putenv(char *);
int model_unsetenv(const char *), model_clearenv(void);
int model___model_listed_setenv(const char *, const char *, int);
int model___model_listed_putenv(char *), model___model_listed_unsetenv(const char *);
int model___model_outside_count(int);
char **model___model_outside_argv(int, int);
extern char **model_environ;

static void require(const char *what, int condition) {
  if (!condition)
    differ(what, "in the fixed tests");
}

static void compare_allocation(void) {
  for (unsigned i = 0; i < rounds; i++) {
    size_t n = 1 + random_below(50), m = 1 + random_below(50);
    char *a = malloc(n);
    memset(a, 'r', n);
    a = model_realloc(a, m);
    for (size_t j = 0; j < n && j < m; j++)
      require("realloc", a[j] == 'r');
    a[m - 1] = 0;
    free(a);
  }
  require("realloc(p, 0)", model_realloc(malloc(3), 0) == NULL);
  require("reallocarray", model_reallocarray(NULL, (size_t)-1, 16) == NULL);
  void *p = NULL;
  require("posix_memalign", model_posix_memalign(&p, 3, 8) != 0 && p == NULL);
  require("posix_memalign", model_posix_memalign(&p, 8, 8) == 0 && p != NULL);
  free(p);
  free(model_aligned_alloc(8, 24));
}

static void compare_input(void) {
  char line[8], block[6];
  shim_input = "one\ntwo lines\nxyz123456789012345678901234567890";
  require("fgets", model_fgets(line, sizeof line, model_stdin) == line && !strcmp(line, "one\n"));
  require("fgets", model_fgets(line, sizeof line, model_stdin) == line && !strcmp(line, "two lin"));
  require("fgets", model_fgets(line, sizeof line, model_stdin) == line && !strcmp(line, "es\n"));
  require("getchar", model_getchar() == 'x' && model_ungetc('w', model_stdin) == 'w');
  require("fread", model_fread(block, 2, 3, model_stdin) == 3 && !memcmp(block, "wyz123", 6));
  char *grown = NULL;
  size_t capacity = 0;
  require("getline", model_getline(&grown, &capacity, model_stdin) == 27 && capacity > 27 &&
                         !strcmp(grown, "456789012345678901234567890"));
  require("getline", model_getline(&grown, &capacity, model_stdin) == -1);
  free(grown);
  require("feof", model_feof(model_stdin) && model_getchar() == -1);
  model_clearerr(model_stdin);
  require("clearerr", !model_feof(model_stdin));
}

static void compare_output(void) {
  shim_output_used = 0;
  model_puts("one");
  model_fputs("two", model_stdout);
  model_putchar('3');
  require("fwrite", model_fwrite("abcdef", 2, 3, model_stdout) == 3);
  require("output", shim_output_used == 14 && !memcmp(shim_output, "one\ntwo3abcdef", 14));
}

/* Variables by name, and the list. */
static void compare_environment(void) {
  char *home = model_getenv("HOME");
  require("getenv", strlen(home) == 7 && model_getenv("HOME") == home);
  require("setenv", model_setenv("HOME", "x", 0) == 0 && model_getenv("HOME") == home);
  require("setenv", model_setenv("HOME", "x", 1) == 0 && !strcmp(model_getenv("HOME"), "x"));
  require("setenv", model_setenv("A=B", "x", 1) == -1 && model_setenv("", "x", 1) == -1);
  static char text[] = "HOME=y";
  require("putenv", model_putenv(text) == 0 && model_getenv("HOME") == text + 5);
  require("unsetenv", model_unsetenv("HOME") == 0 && model_getenv("HOME") == NULL);
  require("clearenv", model_clearenv() == 0 && model_getenv("OTHER") == NULL);
  require("environ", !strcmp(model_environ[0], "hhhhhhh") && model_environ[2] == NULL);
  require("getenv", model___model_listed_getenv("HOME") == NULL);
  require("setenv", model___model_listed_setenv("HOME", "x", 1) == 0);
  require("environ", !strcmp(model_environ[2], "HOME=x") && model_environ[3] == NULL);
  require("putenv", model___model_listed_putenv(text) == 0 && model_environ[2] == text);
  require("getenv", model___model_listed_getenv("HOME") == text + 5);
  require("unsetenv", model___model_listed_unsetenv("HOME") == 0 && model_environ[2] == NULL);
  char **arguments = model___model_outside_argv(model___model_outside_count(9), 2);
  require("argv", strlen(arguments[1]) == 7 && arguments[3] == NULL);
}

void compare_rest(void) {
  compare_allocation();
  compare_input();
  compare_output();
  file *f = model_fopen("name", "r");
  require("fopen", f != NULL && model_fgetc(f) == 'x' && model_fclose(f) == 0);
  compare_environment();
}

void *model_memcpy(void *, const void *, size_t);
int model_memcmp(const void *, const void *, size_t);
char *model_strcpy(char *, const char *), *model_strcat(char *, const char *);
char *model_strncpy(char *, const char *, size_t), *model_strtok(char *, const char *);
int model_printf(const char *, ...), model_isalpha(int), model_atoi(const char *);
int model_fputc(int, file *), model_abs(int);
div_t model_div(int, int);
long model_labs(long);
int model_snprintf(char *, size_t, const char *, ...);
void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));

static void expect(const char *what, int failed) { require(what, failed); }

void expect_failures(void) {
  char *buffer = malloc(16);
  memset(buffer, 0, 16);
  strcpy(buffer, "abcdef");
  file *closed = model_fopen("name", "r");
  model_fclose(closed);
  expect("memcpy overlap", FAILS("overlap", model_memcpy(buffer + 1, buffer, 4)));
  expect("memcpy onto itself", FAILS("overlap", model_memcpy(buffer, buffer, 4)));
  expect("memcpy beside", !FAILS("overlap", model_memcpy(buffer + 4, buffer, 4)));
  expect("memcpy beside", !FAILS("overlap", model_memcpy(buffer, buffer + 4, 4)));
  expect("strcpy overlap", FAILS("overlap", model_strcpy(buffer + 2, buffer)));
  expect("strcat overlap", FAILS("overlap", model_strcat(buffer, buffer)));
  expect("strncpy overlap", FAILS("overlap", model_strncpy(buffer, buffer + 2, 4)));
  expect("memcmp range", FAILS("library-precondition", model_memcmp(buffer, "abcdefgh12345678", 17)));
  expect("strtok first", FAILS("library-precondition", model_strtok(NULL, ",")));
  expect("printf %y", FAILS("library-precondition", model_printf("%y", 1)));
  expect("printf %", FAILS("library-precondition", model_printf("100%")));
  expect("printf %s null", FAILS("library-precondition", model_printf("%s", (char *)NULL)));
  expect("printf %1$d", FAILS("unsupported", model_printf("%1$d", 1)));
  expect("isalpha", FAILS("library-precondition", model_isalpha(256)));
  expect("atoi", FAILS("library-precondition", model_atoi("99999999999")));
  expect("abs", FAILS("library-precondition", model_abs(-2147483647 - 1)));
  expect("labs", !FAILS("library-precondition", model_labs(-2147483647L - 1)));
  expect("div by zero", FAILS("library-precondition", model_div(1, 0)));
  expect("div of the smallest", FAILS("library-precondition", model_div(-2147483647 - 1, -1)));
  expect("null stream", FAILS("library-precondition", model_fputc('c', NULL)));
  expect("closed stream", FAILS("library-precondition", model_fgetc(closed)));
  expect("closed twice", FAILS("library-precondition", model_fclose(closed)));
  expect("qsort range", FAILS("library-precondition", model_qsort(buffer, 5, 4, NULL)));
  expect("fread range", FAILS("library-precondition", model_fread(buffer, 4, 5, model_stdin)));
  free(buffer);
}
