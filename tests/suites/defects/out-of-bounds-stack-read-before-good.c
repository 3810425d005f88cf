// Repaired twin of: reads the element before a stack array: the search does not stop at the first.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int last_negative(const int *values, int count) {
  int i = count - 1;
  while (i >= 0)
    if (values[i--] < 0)
      return i + 1;
  return -1;
}

int main(void) {
  int values[4] = {3, 1, 4, 1};
  return last_negative(values, 4) != -1;
}
