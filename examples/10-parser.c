/* A parser of arithmetic with numbers, '+', '-', '*', '/' and parentheses, and its evaluation. The
 * defect: division by zero is not refused. */
#include <stdbool.h>

char __VERIFIER_nondet_char(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

#define LENGTH 5
#define DEPTH 2

struct parser {
  const char *next;
  int depth;
  bool failed;
};

static int sum(struct parser *parser);

static char look(const struct parser *parser) { return *parser->next; }

static bool accept(struct parser *parser, char expected) {
  if (look(parser) != expected)
    return false;
  parser->next++;
  return true;
}

static int fail(struct parser *parser) {
  parser->failed = true;
  return 0;
}

static int atom(struct parser *parser) {
  char c = look(parser);
  if ('0' <= c && c <= '9') {
    parser->next++;
    return c - '0';
  }
  if (parser->depth == DEPTH || !accept(parser, '('))
    return fail(parser);
  parser->depth++;
  int value = sum(parser);
  parser->depth--;
  return accept(parser, ')') ? value : fail(parser);
}

static int product(struct parser *parser) {
  int value = atom(parser);
  while (!parser->failed) {
    if (accept(parser, '*'))
      value *= atom(parser);
    else if (accept(parser, '/'))
      value /= atom(parser);
    else
      break;
  }
  return value;
}

static int sum(struct parser *parser) {
  int value = product(parser);
  while (!parser->failed) {
    if (accept(parser, '+'))
      value += product(parser);
    else if (accept(parser, '-'))
      value -= product(parser);
    else
      break;
  }
  return value;
}

int main(void) {
  char text[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++) {
    text[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(('(' <= text[i] && text[i] <= '9') || text[i] == 0);
  }
  text[LENGTH] = 0;
  struct parser parser = {text, 0, false};
  int value = sum(&parser);
  if (!parser.failed)
    __VERIFIER_assert(-1000 < value && value < 1000);
  __VERIFIER_assert(parser.next <= text + LENGTH);
  return 0;
}
