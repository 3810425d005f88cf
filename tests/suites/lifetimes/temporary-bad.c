// The array of a structure that a function returns ends with the expression.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 17
// engines: run bmc

struct s {
  int a[4];
};

static struct s make(void) {
  struct s r = {{0, 1, 2, 3}};
  return r;
}

int main(void) {
  int *p = make().a;
  return p[0];
}
