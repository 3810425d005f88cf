/* <strings.h>: comparison without regard to case (C locale), and the first bit set. */
#include "foghorn_intrinsics.h"

static int folded(char c) {
  int u = (unsigned char)c;
  return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}

int strcasecmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] != 0 && folded(left[i]) == folded(right[i]))
    i++;
  return __model_sign(folded(left[i]) - folded(right[i]));
}

int strncasecmp(const char *left, const char *right, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (folded(left[i]) != folded(right[i]))
      return __model_sign(folded(left[i]) - folded(right[i]));
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

int ffs(int value) { return __builtin_ffs(value); }

int ffsl(long value) { return __builtin_ffsl(value); }

int ffsll(long long value) { return __builtin_ffsll(value); }
