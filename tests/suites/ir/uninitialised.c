// A variable that is read before it is written.
int maybe(int set) {
  int value;
  if (set)
    value = 3;
  return value;
}

int main(void) { return maybe(1); }
