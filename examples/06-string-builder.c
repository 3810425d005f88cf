/* Text that grows in a buffer on the heap. The defect: the buffer is grown without room for the
 * zero at the end. */
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

struct builder {
  char *text;
  size_t length, capacity;
};

static int reserve(struct builder *builder, size_t more) {
  size_t needed = builder->length + more;
  if (needed <= builder->capacity)
    return 1;
  char *text = realloc(builder->text, needed);
  if (!text)
    return 0;
  builder->text = text;
  builder->capacity = needed;
  return 1;
}

static int append(struct builder *builder, const char *piece) {
  size_t length = strlen(piece);
  if (!reserve(builder, length))
    return 0;
  memcpy(builder->text + builder->length, piece, length + 1);
  builder->length += length;
  return 1;
}

int main(void) {
  static const char *const pieces[] = {"a", "bc", "def"};
  struct builder builder = {0};
  size_t expected = 0;
  for (int i = 0; i < 3; i++) {
    unsigned choice = __VERIFIER_nondet_uint();
    __VERIFIER_assume(choice < 3);
    if (append(&builder, pieces[choice]))
      expected += choice + 1;
  }
  __VERIFIER_assert(builder.length == expected);
  if (builder.text)
    __VERIFIER_assert(strlen(builder.text) == expected);
  free(builder.text);
  return 0;
}
