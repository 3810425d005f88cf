// Reading and writing parts of a word, with and without sign.
struct flags {
  unsigned ready : 1;
  int level : 3;
  unsigned long wide : 40;
};

long update(struct flags *flags, int level) {
  flags->ready = 1;
  flags->level = level;
  flags->wide++;
  return flags->level + (long)flags->wide;
}

int main(void) {
  struct flags flags = {0};
  return (int)update(&flags, -2);
}
