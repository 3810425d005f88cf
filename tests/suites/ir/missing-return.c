// The end of a function without its result, and a place declared unreachable.
int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
}

int pick(int x) {
  if (x < 3)
    return x;
  __builtin_unreachable();
}

int main(void) { return sign(2) + pick(1); }
