// A structure outside the loop keeps the address of a local of its body.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 16
// engines: run bmc

struct holder {
  int *first;
};

int main(void) {
  struct holder h = {0};
  for (int i = 0; i < 3; i++) {
    int local = i;
    if (!h.first)
      h.first = &local;
    if (*h.first > 1)
      return 0;
  }
  return 0;
}
