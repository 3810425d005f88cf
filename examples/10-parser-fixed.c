/* A calculator for sums: digits, the variables a to c, '+', '-' and parentheses, by recursive
 * descent. */
#include <stdbool.h>

char __VERIFIER_nondet_char(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

#define LENGTH 3
#define DEPTH 1
#define VARIABLES 3

static const int values[VARIABLES] = {10, 20, 30};

struct parser {
  const char *next;
  int depth;
  bool failed;
};

static int sum(struct parser *parser);

static bool accept(struct parser *parser, char expected) {
  if (*parser->next != expected)
    return false;
  parser->next++;
  return true;
}

static int fail(struct parser *parser) {
  parser->failed = true;
  return 0;
}

static int atom(struct parser *parser) {
  char c = *parser->next;
  if ('0' <= c && c <= '9') {
    parser->next++;
    return c - '0';
  }
  if ('a' <= c && c < 'a' + VARIABLES) {
    parser->next++;
    return values[c - 'a'];
  }
  if (parser->depth == DEPTH || !accept(parser, '('))
    return fail(parser);
  parser->depth++;
  int value = sum(parser);
  parser->depth--;
  return accept(parser, ')') ? value : fail(parser);
}

static int sum(struct parser *parser) {
  int value = atom(parser);
  while (!parser->failed) {
    if (accept(parser, '+'))
      value += atom(parser);
    else if (accept(parser, '-'))
      value -= atom(parser);
    else
      break;
  }
  return value;
}

int main(void) {
  char text[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++)
    text[i] = __VERIFIER_nondet_char();
  text[LENGTH] = 0;
  struct parser parser = {text, 0, false};
  int value = sum(&parser);
  if (!parser.failed)
    __VERIFIER_assert(-100 <= value && value <= 100);
  __VERIFIER_assert(parser.next <= text + LENGTH);
  return 0;
}
