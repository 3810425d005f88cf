// Repaired twin of: returns the address of a local array.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static char storage[4];

static char *make(void) {
  char *result = storage;
  result[0] = 'a';
  return result;
}

int main(void) {
  char *text = make();
  return text[0] != 'a';
}
