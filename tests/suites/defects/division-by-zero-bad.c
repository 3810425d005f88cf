// Takes the mean of no values.
// check:     undefined
// expect:    unsafe division @ line 11
// engines:   run bmc
// sanitizer: undefined

static int mean(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum / count;
}

int main(void) { return mean(0, 0); }
