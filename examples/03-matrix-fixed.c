/* Multiplication of small matrices with numbers from outside. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

#define N 2
#define LARGEST 40000

static long long entry(int a[N][N], int b[N][N], int row, int column) {
  long long sum = 0;
  for (int k = 0; k < N; k++)
    sum += (long long)a[row][k] * b[k][column];
  return sum;
}

static void read_matrix(int m[N][N]) {
  for (int row = 0; row < N; row++) {
    for (int column = 0; column < N; column++) {
      int value = __VERIFIER_nondet_int();
      __VERIFIER_assume(-LARGEST <= value && value <= LARGEST);
      m[row][column] = value;
    }
  }
}

int main(void) {
  int a[N][N], b[N][N] = {{1, 0}, {0, 1}}, c[N][N];
  read_matrix(a);
  read_matrix(c);
  for (int row = 0; row < N; row++) {
    for (int column = 0; column < N; column++) {
      __VERIFIER_assert(entry(a, b, row, column) == a[row][column]);
      (void)entry(a, c, row, column);
    }
  }
  return 0;
}
