// Repaired twin of: asks for the lowest bit of an empty set.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

struct set {
  unsigned long bits;
};

static int lowest(const struct set *s) {
  if (s->bits == 0)
    return -1;
  return __builtin_ctzl(s->bits);
}

int main(void) {
  struct set s = {0};
  return lowest(&s) == 3;
}
