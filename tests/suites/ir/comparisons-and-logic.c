// Comparisons, short circuits, the conditional operator.
int compare(int a, int b, unsigned c, unsigned d) { return (a < b) + (c < d) + (a == b) + (c >= d); }

int logic(int *p, int limit) { return p && *p > 0 && (*p < limit || limit == 0) && !(*p == 7); }

int larger(int a, int b) { return a > b ? a : b; }

int main(void) {
  int value = 3;
  return compare(1, 2, 3, 4) + logic(&value, 5) + larger(1, 2);
}
