// Looks at the first argument without asking whether there is one.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 8
// engines:   run bmc
// sanitizer: address

int main(int argc, char **argv) {
  return argv[1][0] == 'x';
}
