// The function replaces a pointer in the object that is given.
// check:     memory-safety
// expect:    unsafe unknown-pointer @ line 18
// engines:   run bmc
// inputs:    true true 64

struct buffer {
  char *start;
  int length;
};
void grow(struct buffer *buffer);
int main(void) {
  char memory[4] = {0};
  struct buffer buffer = {memory, 4};
  grow(&buffer);
  if (!buffer.start)
    return 0;
  return buffer.start[0];
}
