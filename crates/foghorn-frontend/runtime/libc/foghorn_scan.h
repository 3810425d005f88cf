/* What the models of the scanf family share: the state of one call, and its steps.
 *
 * The front end turns a call with a literal format into these steps; the others interpret their
 * format when they run (stdio_scan.c). A step does nothing once the call has stopped.
 */
#ifndef FOGHORN_SCAN_H
#define FOGHORN_SCAN_H

#include "foghorn_stream.h"

/* At most 48 bytes, which is what the front end reserves. */
struct scan {
  /* The source: a stream, or (with a null stream) a string. */
  FILE *stream;
  const char *text;
  /* Bytes taken so far, for %n. */
  size_t taken;
  /* The result. */
  int assigned;
  _Bool stopped;
  /* Whether somebody counts the bytes: then each of them is read by itself. */
  _Bool counted;
};

void __model_scan_string(struct scan *s, const char *text);
void __model_scan_stream(struct scan *s, FILE *stream);
void __model_scan_standard(struct scan *s);
int __model_scan_result(struct scan *s);

/* White space of the format. */
void __model_scan_space(struct scan *s);
/* An ordinary byte of the format. */
void __model_scan_literal(struct scan *s, int expected);
/* %%, which skips white space first. */
void __model_scan_percent(struct scan *s);
/* d, i, o, u, x, p: a number of `size` bytes; base 0 is what its prefix says. */
void __model_scan_integer(struct scan *s, void *to, int assign, size_t width, int base, int size,
                          int is_signed);
/* a, e, f, g: 4 for float, 8 for double, 16 for long double. */
void __model_scan_float(struct scan *s, void *to, int assign, size_t width, int size);
void __model_scan_word(struct scan *s, char *to, int assign, size_t width);
void __model_scan_characters(struct scan *s, char *to, int assign, size_t width);
/* %[: `set` is the format behind the bracket. */
void __model_scan_set(struct scan *s, char *to, int assign, size_t width, const char *set);
void __model_scan_count(struct scan *s, void *to, int assign, int size);

/* What a number that is chosen as a whole came to. */
enum { SCAN_NOT_CHOSEN, SCAN_NUMBER, SCAN_NO_NUMBER, SCAN_ENDED };
/* Whether the white space of a stream was skipped by choice. */
_Bool __model_scan_choose_space(struct scan *s);
int __model_scan_choose_integer(struct scan *s, int base, int size, _Bool is_signed,
                                unsigned long long *value);
int __model_scan_choose_float(struct scan *s, int size, double *value);

/* What an integer that is too large for its length becomes. */
unsigned long long __model_scan_limit(int size, _Bool is_signed, _Bool negative);
void __model_scan_store(void *to, int size, unsigned long long value);

#endif
