// The third parameter of main is the environment, whose first entry is there or null.
// check:   memory-safety
// expect:  safe
// engines: run

int main(int argc, char **argv, char **envp) {
  return envp[0] != 0 && envp[0][0] == 'x';
}
