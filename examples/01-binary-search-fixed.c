/* Binary search in a sorted array. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

#define LENGTH 6

/* The index of `key` in `values`, or -1. */
static int search(const int *values, int length, int key) {
  int low = 0, high = length - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (values[middle] == key)
      return middle;
    if (values[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  int values[LENGTH];
  for (int i = 0; i < LENGTH; i++) {
    values[i] = __VERIFIER_nondet_int();
    if (i > 0)
      __VERIFIER_assume(values[i - 1] <= values[i]);
  }
  int key = __VERIFIER_nondet_int();
  int index = search(values, LENGTH, key);
  if (index >= 0)
    __VERIFIER_assert(values[index] == key);
  return 0;
}
