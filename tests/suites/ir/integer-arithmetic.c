// Signed arithmetic is checked, unsigned arithmetic wraps.
int signed_arithmetic(int a, int b) { return (a + b) * (a - b) / -b % 7; }

unsigned unsigned_arithmetic(unsigned a, unsigned b) { return (a + b) * (a - b) / b % 7u; }

long long wide(long long a, short b, signed char c) { return a * b - c; }

int main(void) {
  return signed_arithmetic(5, 3) + (int)unsigned_arithmetic(5, 3) + (int)wide(1, 2, 3);
}
