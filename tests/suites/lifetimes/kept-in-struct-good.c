// Repaired twin of: a structure outside the loop keeps the address of a local of its body.
// check:   memory-safety
// expect:  safe
// engines: run bmc

struct holder {
  int *first;
};

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct holder h = {0};
    int local = i;
    if (!h.first)
      h.first = &local;
    if (*h.first > 2)
      return 1;
  }
  return 0;
}
