// Repaired twin of: runs over the end of a row of a matrix, still inside the matrix.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int matrix[3][4] = {{0}};
  int column = 3;
  matrix[1][column] = 5;
  return matrix[2][0] > 5;
}
