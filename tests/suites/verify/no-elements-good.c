// An array of no elements is made where nobody asks about its length; nothing is put in.
// check:   memory-safety
// expect:  safe
// engines: run bmc
static int last(int length) {
  int numbers[length];
  for (int i = 0; i < length; i++)
    numbers[i] = i;
  int sum = 0;
  for (int i = 0; i < length; i++) sum += numbers[i];
  length = sum;
  return length;
}

int main(void) {
  for (int length = 0; length < 3; length++)
    last(length);
  return 0;
}
