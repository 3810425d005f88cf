// The result of assembly is any value, by name.
int identity(int x) {
  int y;
  __asm__("mov %1, %0" : "=r"(y) : "r"(x));
  return y;
}

int main(void) { return identity(3) == 3; }
