// Looks at the first argument if there is one.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// args:    abc

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  return argv[1][0] == 'x';
}
