// Local and global arrays, two dimensions, bounds that the type declares.
static int table[4] = {1, 2, 3};
static short grid[3][5];

int sum(int index) {
  int local[3] = {index, 2};
  grid[index][2] = (short)local[1];
  return table[index] + local[index] + grid[1][index];
}

int main(void) { return sum(1); }
