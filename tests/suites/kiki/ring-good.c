// A machine hands a number on in stages, any input, with wrap-around: what it has become is known of each combination of the
// stage and a flag, and of neither alone.
// check:   assertions
// expect:  safe
// engines: kiki
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int stage, ready, token, first;
void begin(void) {
  first = token = __VERIFIER_nondet_int();
  ready = 1;
  stage = 1;
}
void pass(void) {
  if (ready) {
    token = (int)((unsigned)token + 1);
    stage++;
  }
}
int main(void) {
  for (;;) {
    if (stage == 0)
      begin();
    else if (stage < 3 && __VERIFIER_nondet_int())
      pass();
    else if (stage == 3) {
      __VERIFIER_assert(token == (int)((unsigned)first + 2));
      ready = stage = 0;
    }
  }
}
