// Repaired twin of: an array of pointers whose last entry is null is read one too far.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static int one = 1, two = 2;
static int *const numbers[3] = {&one, &two};

int main(void) {
  int sum = 0;
  for (int i = 0; numbers[i] != 0; i++)
    sum += *numbers[i];
  return sum != 3;
}
