// while, do, for, break and continue.
int loops(int n) {
  int count = 0;
  while (n > 10)
    n /= 2;
  do {
    if (n == 3)
      continue;
    count++;
  } while (n-- > 0);
  for (int i = 0;; i++)
    if (i * i > count)
      break;
  return count;
}

int main(void) { return loops(100); }
