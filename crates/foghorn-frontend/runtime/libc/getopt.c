/* <unistd.h>, <getopt.h>: getopt as POSIX has it (options first; glibc would also look for options
 * behind other arguments, and moves those to the end). */
#include "foghorn_stream.h"

char *optarg;
int optind = 1, opterr = 1, optopt;

/* Where the next option letter is, within an argument that has several. */
static const char *letters;

static const char *find_option(const char *options, char letter) {
  for (; *options != 0; options++)
    if (*options == letter && letter != ':')
      return options;
  return NULL;
}

static void put_text(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  __model_stream_put(stderr, s, n);
}

static int complain(const char *program, const char *what, char letter, int result) {
  char text[] = {letter, '\'', '\n', 0};
  optopt = (unsigned char)letter;
  if (opterr && result == '?') {
    put_text(program);
    put_text(what);
    put_text(text);
  }
  return result;
}

/* The rest of this argument, or the next one. */
static int take_argument(int count, char *const *arguments, const char *options, char letter) {
  if (*letters != 0) {
    optarg = (char *)letters;
    optind++;
  } else if (optind + 1 < count) {
    optarg = arguments[optind + 1];
    optind += 2;
  } else {
    optind++;
    letters = NULL;
    return complain(arguments[0], ": option requires an argument -- '", letter,
                    *options == ':' ? ':' : '?');
  }
  letters = NULL;
  return (unsigned char)letter;
}

int getopt(int count, char *const *arguments, const char *options) {
  optarg = NULL;
  if (letters == NULL || *letters == 0) {
    if (optind >= count || arguments[optind] == NULL || arguments[optind][0] != '-' ||
        arguments[optind][1] == 0)
      return -1;
    if (arguments[optind][1] == '-' && arguments[optind][2] == 0) {
      optind++;
      return -1;
    }
    letters = arguments[optind] + 1;
  }
  char letter = *letters++;
  const char *option = find_option(options, letter);
  if (option != NULL && option[1] == ':')
    return take_argument(count, arguments, options, letter);
  if (*letters == 0) {
    optind++;
    letters = NULL;
  }
  if (option == NULL)
    return complain(arguments[0], ": invalid option -- '", letter, '?');
  return (unsigned char)letter;
}
