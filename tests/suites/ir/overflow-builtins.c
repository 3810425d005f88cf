// The builtins that give the wrapped result and whether it wrapped.
int add(int a, int b, int *result) { return __builtin_add_overflow(a, b, result); }

int multiply(unsigned long a, unsigned long b, unsigned long *result) {
  return __builtin_mul_overflow(a, b, result);
}

int main(void) {
  int sum;
  unsigned long product;
  return add(1, 2, &sum) + multiply(3, 4, &product);
}
