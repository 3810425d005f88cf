// The third parameter of main is the environment, whose first entry may not be there.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 8
// engines:   run bmc
// sanitizer: none: it depends on the environment

int main(int argc, char **argv, char **envp) {
  return envp[0][0] == 'x';
}
