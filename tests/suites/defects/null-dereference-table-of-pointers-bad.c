// An array of pointers whose last entry is null is read one too far.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 13
// engines:   run bmc
// sanitizer: address

static int one = 1, two = 2;
static int *const numbers[3] = {&one, &two};

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += *numbers[i];
  return sum != 3;
}
