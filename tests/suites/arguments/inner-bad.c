// Looks at the third character of an argument that may be shorter.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 9
// engines:   run bmc
// args:      a
// sanitizer: none: arguments lie side by side on a real machine

int main(int argc, char **argv) {
  return argc > 1 && argv[1][2] == 'c';
}
