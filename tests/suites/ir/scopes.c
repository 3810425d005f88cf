// The life of a local object ends with its scope.
void use(int *);

int scopes(int n) {
  int result = 0;
  for (int i = 0; i < n; i++) {
    int inner = i;
    use(&inner);
    result += inner;
  }
  return result;
}

int main(void) { return scopes(2); }
