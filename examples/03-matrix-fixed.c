/* Sums over a matrix with numbers from outside. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

#define N 2
#define LARGEST 1000000000

static long long total(int m[N][N]) {
  long long sum = 0;
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++)
      sum += m[row][column];
  return sum;
}

static void transpose(int from[N][N], int to[N][N]) {
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++)
      to[column][row] = from[row][column];
}

int main(void) {
  int a[N][N], b[N][N];
  for (int row = 0; row < N; row++) {
    for (int column = 0; column < N; column++) {
      a[row][column] = __VERIFIER_nondet_int();
      __VERIFIER_assume(0 <= a[row][column] && a[row][column] <= LARGEST);
    }
  }
  transpose(a, b);
  __VERIFIER_assert(total(a) == total(b));
  __VERIFIER_assert(total(a) >= a[1][0]);
  return 0;
}
