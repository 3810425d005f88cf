// Repaired twin of: takes the mean of no values.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int mean(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  if (count == 0)
    return 0;
  return sum / count;
}

int main(void) { return mean(0, 0); }
