// A protocol whose flag follows its state: neither has a range by itself that excludes the error.
// check:   assertions
// expect:  safe
// engines: absint
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

int main(void) {
  int state = 100;
  int flag = 0;
  while (state != 900) {
    int again = __VERIFIER_nondet_int();
    switch (state) {
    case 100:
      state = 210;
      break;
    case 210:
      if (flag == 0)
        flag = 1;
      state = again ? 210 : 220;
      break;
    case 220:
      flag = 2;
      state = 330;
      break;
    case 330:
      __VERIFIER_assert(flag == 2);
      state = again ? 340 : 350;
      break;
    case 340:
      flag = 3;
      state = 350;
      break;
    case 350:
      __VERIFIER_assert(flag >= 2);
      state = again ? 900 : 100;
      flag = 0;
      break;
    default:
      __VERIFIER_assert(0);
    }
  }
  return 0;
}
