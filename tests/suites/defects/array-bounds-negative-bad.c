// A counter that goes below zero indexes an array.
// check:     undefined
// expect:    unsafe array-bounds @ line 11
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int stack[4] = {0};
  int top = 0;
  top--;
  stack[top] = 1;
  return stack[1];
}
