// The length is checked, and the stack is restored at the end of the scope.
int last(int n) {
  int result = 0;
  for (int i = 1; i < n; i++) {
    int values[i];
    values[i - 1] = i;
    result += values[i - 1];
  }
  return result;
}

int main(void) { return last(3); }
