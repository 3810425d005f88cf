// Wide strings and characters of the C locale.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 9 1 5
// stdout: WIDE TEXT 0
// stdout: 9 WIDE TEXT
// stdout: 4

#include <stdio.h>
#include <wchar.h>
#include <wctype.h>
#include <stdlib.h>

int main(void) {
  wchar_t buffer[16];
  wcscpy(buffer, L"wide");
  wcscat(buffer, L" text");
  printf("%zu %d %td\n", wcslen(buffer), wcscmp(buffer, L"wider") < 0, wcschr(buffer, L't') - buffer);
  for (wchar_t *p = buffer; *p; p++)
    *p = towupper(*p);
  printf("%ls %d\n", buffer, !!iswalpha(buffer[4]));
  char narrow[16];
  printf("%zu %s\n", wcstombs(narrow, buffer, sizeof narrow), narrow);
  printf("%zu\n", sizeof L"abc" / sizeof(wchar_t));
  return 0;
}
