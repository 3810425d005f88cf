// Addresses of labels in a table.
int run(const unsigned char *program) {
  static const void *const actions[] = {&&stop, &&add, &&twice};
  int value = 1;
  goto *actions[*program++];
add:
  value++;
  goto *actions[*program++];
twice:
  value *= 2;
  goto *actions[*program++];
stop:
  return value;
}

int main(void) {
  unsigned char program[] = {1, 2, 0};
  return run(program);
}
