// The types of the parameters promise that nothing is changed.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
int sum(const int *numbers, int count);
void print(const char *text);
int main(void) {
  int numbers[2] = {1, 2};
  char text[] = "sum";
  print(text);
  int result = sum(numbers, 2);
  assert(numbers[0] == 1 && text[0] == 's');
  return result == 3;
}
