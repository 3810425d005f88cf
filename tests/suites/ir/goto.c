// Jumps into and out of a loop: an irreducible region.
int jump(int n) {
  if (n > 5)
    goto middle;
top:
  n++;
middle:
  n += 2;
  if (n < 20)
    goto top;
  return n;
}

int main(void) { return jump(7); }
