// Returns the address of a local array.
// check:     memory-safety
// expect:    unsafe use-after-scope @ line 15
// engines:   run bmc
// sanitizer: address

static char *make(void) {
  char text[4] = "abc";
  char *result = text;
  return result;
}

int main(void) {
  char *text = make();
  return text[0] != 'a';
}
