// Runs over the end of a row of a matrix, still inside the matrix.
// check:     undefined
// expect:    unsafe array-bounds @ line 10
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int matrix[3][4] = {{0}};
  int column = 4;
  matrix[1][column] = 5;
  return matrix[2][0] > 5;
}
