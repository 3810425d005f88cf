// A switch with fall-through, a default, a hole and a negative case.
int classify(int c) {
  int result = 0;
  switch (c) {
  case -1:
    return 10;
  case 1:
    result = 1;
  case 2:
    result += 2;
    break;
  case 7:
    result = 7;
    break;
  default:
    result = 9;
  }
  return result;
}

int main(void) { return classify(2); }
