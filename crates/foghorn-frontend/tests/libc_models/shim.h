/* What the comparisons need of the native shim. `model_NAME` is the model of the library's NAME. */
#ifndef SHIM_H
#define SHIM_H

#include <setjmp.h>
#include <stddef.h>

/* The kind of check that is expected to fail next, or null. */
extern const char *shim_expected;
extern jmp_buf shim_back;
/* What the models wrote to any descriptor. */
extern char shim_output[1 << 16];
extern size_t shim_output_used;
/* What standard input still holds. */
extern const char *shim_input;

/* Whether `statement` fails a check of this kind. */
#define FAILS(kind, statement)                                                                     \
  (shim_expected = (kind), setjmp(shim_back) != 0 ? (shim_expected = NULL, 1)                      \
                                                  : ((statement), shim_expected = NULL, 0))

/* Small deterministic random numbers. */
unsigned random_below(unsigned bound);
long long random_integer(void);
/* The number of comparisons to make for each function, from the command line. */
extern unsigned rounds;
/* Reports a difference and counts it. */
void differ(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

void compare_strings(void);
void compare_numbers(void);
void compare_formats(void);
void compare_scans(void);
void compare_parts_of_things(void);
void compare_rest(void);
void expect_failures(void);

#endif
