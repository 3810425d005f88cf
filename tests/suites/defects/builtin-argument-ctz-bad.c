// Asks for the lowest bit of an empty set.
// check:     undefined
// expect:    unsafe builtin-argument @ line 12
// engines:   run bmc
// sanitizer: undefined

struct set {
  unsigned long bits;
};

static int lowest(const struct set *s) {
  return __builtin_ctzl(s->bits);
}

int main(void) {
  struct set s = {0};
  return lowest(&s) == 3;
}
