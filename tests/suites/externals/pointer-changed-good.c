// A constant object keeps its pointer, which leads to memory that may be changed.
// check:     memory-safety assertions
// expect:    safe
// engines:   run bmc

struct buffer {
  const char *start;
  int length;
};
void show(const struct buffer *buffer);
int main(void) {
  char memory[4] = {0};
  struct buffer buffer = {memory, 4};
  show(&buffer);
  return buffer.start[0];
}
