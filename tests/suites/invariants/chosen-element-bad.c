// A callee chooses between two elements of an array: what it writes may be in the other.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: run bmc
void __VERIFIER_assert(int condition);
static int a[6] = {5, 5, 5, 5, 5, 5};
static int look(int *x, int *y, int c) {
  int *p = c ? x : y;
  *p = 7;
  return *y;
}
int main(int argc, char **argv) {
  int r = look(&a[1], &a[3], argc > 0);
  __VERIFIER_assert(r == 7);
  return 0;
}
