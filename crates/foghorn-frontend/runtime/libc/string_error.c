/* strerror and strsignal: the text is the system's to choose, so only its shape is modelled. The
 * common errors have glibc's words, that interpreted programs print what native ones do. */
#include "foghorn_intrinsics.h"

static const char *error_text(int code) {
  switch (code) {
  case 0: return "Success";
  case 1: return "Operation not permitted";
  case ENOENT: return "No such file or directory";
  case 3: return "No such process";
  case EINTR: return "Interrupted system call";
  case 5: return "Input/output error";
  case EBADF: return "Bad file descriptor";
  case 11: return "Resource temporarily unavailable";
  case ENOMEM: return "Cannot allocate memory";
  case 13: return "Permission denied";
  case 14: return "Bad address";
  case 17: return "File exists";
  case 20: return "Not a directory";
  case 21: return "Is a directory";
  case EINVAL: return "Invalid argument";
  case EMFILE: return "Too many open files";
  case 28: return "No space left on device";
  case 32: return "Broken pipe";
  case EDOM: return "Numerical argument out of domain";
  case ERANGE: return "Numerical result out of range";
  case ENOSYS: return "Function not implemented";
  default: return NULL;
  }
}

/* "Unknown error N" in a buffer of its own; the longest int has ten digits and a sign. */
static const char *unknown_error(int code) {
  static char text[32] = "Unknown error ";
  char *end = text + 14;
  unsigned magnitude = code < 0 ? 0u - (unsigned)code : (unsigned)code;
  unsigned power = 1;
  if (code < 0)
    *end++ = '-';
  while (magnitude / power >= 10)
    power *= 10;
  for (; power > 0; power /= 10)
    *end++ = (char)('0' + magnitude / power % 10);
  *end = 0;
  return text;
}

char *strerror(int code) {
  const char *text = error_text(code);
  return (char *)(text != NULL ? text : unknown_error(code));
}

static int copy_text(char *to, size_t size, const char *text) {
  size_t i = 0;
  for (; i + 1 < size && text[i] != 0; i++)
    to[i] = text[i];
  if (size > 0)
    to[i] = 0;
  return text[i] == 0 ? 0 : ERANGE;
}

/* POSIX's strerror_r, as glibc's header renames it. */
int __xpg_strerror_r(int code, char *to, size_t size) { return copy_text(to, size, strerror(code)); }

/* GNU's strerror_r returns the text, which need not be in the caller's buffer. */
char *strerror_r(int code, char *to, size_t size) {
  copy_text(to, size, strerror(code));
  return strerror(code);
}

char *strsignal(int signal) {
  switch (signal) {
  case 2: return (char *)"Interrupt";
  case 6: return (char *)"Aborted";
  case 8: return (char *)"Floating point exception";
  case 9: return (char *)"Killed";
  case 11: return (char *)"Segmentation fault";
  case 15: return (char *)"Terminated";
  default: return (char *)"Unknown signal";
  }
}
