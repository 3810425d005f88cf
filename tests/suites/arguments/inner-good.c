// Looks at the third character of an argument that has two before it.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// args:    a

int main(int argc, char **argv) {
  return argc > 1 && argv[1][0] != 0 && argv[1][1] != 0 && argv[1][2] == 'c';
}
