// A function of the program's environment shares its name, but not its type, with one of POSIX.
// check:   memory-safety undefined assertions
// expect:  safe
// engines: run bmc

extern void read(int);

int main(void) {
  int a[3] = {1, 2, 3};
  read(a[2]);
  return 0;
}
