// Looks behind the end of the arguments: behind the last one there is a null, and then nothing.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 8
// engines:   run bmc
// sanitizer: none: the environment lies there on a real machine

int main(int argc, char **argv) {
  return argv[2] != 0;
}
