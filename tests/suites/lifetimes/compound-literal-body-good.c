// One in the condition lives as long as the loop, and one in the body until the iteration ends.
// check:     memory-safety
// expect:    safe
// engines:   run bmc

int main(void) {
  int *p = 0, i = 0, sum = 0;
  while ((p = (int[]){i, 2}) && i < 3)
    sum += p[0] + (p = (int[]){4, 5})[1], i += p[0] - 3;
  do
    sum += (p = (int[]){1, 2})[1] + p[0];
  while (i++ < 4);
  return sum > 1000;
}
