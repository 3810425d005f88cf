/* sscanf and scanf: random inputs against random formats whose directives all store text or
 * integers into places of the right kind. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int model_sscanf(const char *, const char *, ...);
int model_scanf(const char *, ...);
char *model_fgets(char *, int, void *);
extern void *model_stdin;
void model_clearerr(void *);

static const struct {
  const char *text;
  size_t size;
} directives[] = {
    {"%d", 4},    {"%i", 4},     {"%u", 4},     {"%x", 4},    {"%o", 4},   {"%3d", 4},
    {"%hhd", 1},  {"%hd", 2},    {"%ld", 8},    {"%lld", 8},  {"%zu", 8},  {"%jd", 8},
    {"%n", 4},    {"%s", 80},    {"%5s", 80},   {"%c", 1},    {"%3c", 3},  {"%[a-c]", 80},
    {"%[^,]", 80}, {"%[]x]", 80}, {"%4[0-9a-]", 80}, {"%f", 4}, {"%lf", 8}, {"%*d", 0},
    {"%*s", 0},   {"%*[^ ]", 0}, {"%%", 0},
};

/* No "0x" and no "1e" without a digit after it: glibc takes them for numbers, C does not. */
static const char *const pieces[] = {"12",  "-7",  "0x1f", "077", "abc", " ",    ",",   "  ", "x",
                                     "]",   "+3",  "-",   "9999999999999999999", "3.5",
                                     "1e3", ".5",   "inf", "%",   "\n",   "cab"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct places {
  char bytes[4][96];
};

static int call_real(const char *in, const char *f, struct places *p) {
  return sscanf(in, f, p->bytes[0], p->bytes[1], p->bytes[2], p->bytes[3]);
}

static int call_model(const char *in, const char *f, struct places *p) {
  return model_sscanf(in, f, p->bytes[0], p->bytes[1], p->bytes[2], p->bytes[3]);
}

static int call_stream(const char *in, const char *f, struct places *p) {
  shim_input = in;
  model_clearerr(model_stdin);
  int n = model_scanf(f, p->bytes[0], p->bytes[1], p->bytes[2], p->bytes[3]);
  char rest[300];
  while (model_fgets(rest, sizeof rest, model_stdin) != NULL)
    ;
  return n;
}

#pragma clang diagnostic ignored "-Wformat-nonliteral"

static void compare_one(const char *in, const char *f) {
  struct places real, model, stream;
  memset(&real, '#', sizeof real);
  model = stream = real;
  int r = call_real(in, f, &real), m = call_model(in, f, &model), s = call_stream(in, f, &stream);
  if (r != m || memcmp(&real, &model, sizeof real) != 0)
    differ("sscanf", "'%s' by '%s': %d, not %d", in, f, m, r);
  if (r != s || memcmp(&real, &stream, sizeof real) != 0)
    differ("scanf", "'%s' by '%s': %d, not %d", in, f, s, r);
}

void compare_scans(void) {
  for (unsigned i = 0; i < 5 * rounds; i++) {
    char in[200] = "", f[100] = "";
    for (unsigned j = random_below(6); j > 0; j--)
      strcat(in, pieces[random_below(COUNT(pieces))]);
    for (unsigned j = 1 + random_below(4); j > 0; j--) {
      strcat(f, directives[random_below(COUNT(directives))].text);
      if (random_below(3) == 0)
        strcat(f, random_below(2) ? " " : ",");
    }
    compare_one(in, f);
  }
}
