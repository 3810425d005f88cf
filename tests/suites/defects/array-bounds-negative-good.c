// Repaired twin of: a counter that goes below zero indexes an array.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int stack[4] = {0};
  int top = 0;
  top--;
  if (top < 0)
    top = 0;
  stack[top] = 1;
  return stack[1];
}
