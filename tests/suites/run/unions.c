// Unions as views of the same bytes, inside structs, and initialised by a later member.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 3f800000 3f 3f80
// stdout: 3f8000ff 00ff
// stdout: 1 1
// stdout: integer -5
// stdout: text word

#include <stdio.h>
#include <string.h>

union view {
  unsigned word;
  unsigned char bytes[4];
  struct {
    unsigned short low, high;
  } halves;
  float real;
};

struct tagged {
  enum { INTEGER, TEXT } tag;
  union {
    long integer;
    const char *text;
  };
};

static void show(const struct tagged *t) {
  switch (t->tag) {
  case INTEGER: printf("integer %ld\n", t->integer); break;
  case TEXT: printf("text %s\n", t->text); break;
  }
}

int main(void) {
  union view v = {.real = 1.0f}, w;
  printf("%08x %02x %04x\n", v.word, v.bytes[3], v.halves.high);
  v.bytes[0] = 0xff;
  printf("%08x %04x\n", v.word, v.halves.low);
  w = v;
  w.word ^= 0x80000000u;
  printf("%d %d\n", w.real < 0, memcmp(&v, &w, sizeof v) != 0);
  struct tagged list[] = {{INTEGER, {.integer = -5}}, {TEXT, {.text = "word"}}};
  for (int i = 0; i < 2; i++)
    show(&list[i]);
  return 0;
}
