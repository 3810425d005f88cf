/* <ctype.h>: classification in the C locale, as functions.
 *
 * The argument must be EOF or fit an unsigned char. glibc's tables also bear signed characters, but C
 * does not promise it, and other libraries read what is not theirs.
 */
#include "foghorn_intrinsics.h"

static void check_character(int c) { __foghorn_check_library(c >= -1 && c <= 255); }

static _Bool between(int c, int low, int high) { return c >= low && c <= high; }

static _Bool upper(int c) { return between(c, 'A', 'Z'); }

static _Bool lower(int c) { return between(c, 'a', 'z'); }

static _Bool digit(int c) { return between(c, '0', '9'); }

static _Bool letter_or_digit(int c) { return upper(c) || lower(c) || digit(c); }

#define CLASS(name, condition)                                                                     \
  int name(int c) {                                                                                \
    check_character(c);                                                                            \
    return condition;                                                                              \
  }

CLASS(isalpha, upper(c) || lower(c))
CLASS(isupper, upper(c))
CLASS(islower, lower(c))
CLASS(isdigit, digit(c))
CLASS(isalnum, letter_or_digit(c))
CLASS(isxdigit, digit(c) || between(c, 'a', 'f') || between(c, 'A', 'F'))
CLASS(isspace, c == ' ' || between(c, '\t', '\r'))
CLASS(isblank, c == ' ' || c == '\t')
CLASS(iscntrl, between(c, 0, 31) || c == 127)
CLASS(isprint, between(c, 32, 126))
CLASS(isgraph, between(c, 33, 126))
CLASS(ispunct, between(c, 33, 126) && !letter_or_digit(c))

int isascii(int c) { return between(c, 0, 127); }

int toascii(int c) { return c & 127; }

int toupper(int c) {
  check_character(c);
  return lower(c) ? c - ('a' - 'A') : c;
}

int tolower(int c) {
  check_character(c);
  return upper(c) ? c + ('a' - 'A') : c;
}

int _toupper(int c) { return c - ('a' - 'A'); }

int _tolower(int c) { return c + ('a' - 'A'); }
