// A variable that keeps its value between calls.
int count(void) {
  static int calls = 3;
  return ++calls;
}

int main(void) { return count() + count(); }
