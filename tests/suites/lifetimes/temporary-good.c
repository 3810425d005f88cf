// Repaired twin of: the array of a structure that a function returns ends with the expression.
// check:   memory-safety
// expect:  safe
// engines: run bmc

struct s {
  int a[4];
};

static struct s make(void) {
  struct s r = {{0, 1, 2, 3}};
  return r;
}

int main(void) {
  return make().a[0];
}
