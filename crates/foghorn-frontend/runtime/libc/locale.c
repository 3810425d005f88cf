/* <locale.h>: the C locale and no other. */
#include "foghorn_intrinsics.h"

struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol;
  char *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char small[14];
};

/* The names "" and "POSIX" also mean the C locale; any other is not to be had. */
static _Bool is_c_locale(const char *name) {
  static const char posix[] = "POSIX";
  if (name[0] == 0 || (name[0] == 'C' && name[1] == 0))
    return 1;
  for (size_t i = 0; i < sizeof posix; i++)
    if (name[i] != posix[i])
      return 0;
  return 1;
}

char *setlocale(int category, const char *name) {
  static char current[] = "C";
  (void)category;
  return name == NULL || is_c_locale(name) ? current : NULL;
}

struct lconv *localeconv(void) {
  static struct lconv c;
  static char point[] = ".", none[] = "";
  c = (struct lconv){point, none, none, none, none, none, none, none, none, none, {0}};
  for (size_t i = 0; i < sizeof c.small; i++)
    c.small[i] = __SCHAR_MAX__;
  return &c;
}
