/* The arguments of main, as the start that the front end makes asks for them. */
#include "foghorn_text.h"

size_t __foghorn_nondet_argument_count(void);
size_t __foghorn_nondet_argument_length(void);

/* How many arguments there are, with the name of the program: at least one, at most `most`. */
int __model_outside_count(int most) {
  size_t further = __foghorn_nondet_argument_count() & (LARGEST_COUNT - 1);
  __foghorn_assume(further < (size_t)most);
  return (int)further + 1;
}

char *__model_outside_argument(void) {
  size_t n = __foghorn_nondet_argument_length() & (LARGEST_TEXT - 1);
  return __model_outside_text(__foghorn_alloc_permanent(n + 1, 1), n);
}

/* The vector of so many arguments. The program looks at none beyond the first `seen`, so that those
 * are not made. */
char **__model_outside_argv(int count, int seen) {
  char **vector = __foghorn_alloc_permanent(((size_t)count + 1) * sizeof *vector, sizeof *vector);
  for (int i = 0; i < count && i < seen; i++)
    vector[i] = __model_outside_argument();
  vector[count] = NULL;
  return vector;
}
