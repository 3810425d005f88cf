// A program that prints, and divides by what is not zero.
// check:   undefined memory-safety
// expect:  safe
// engines: run bmc
// inputs:  3
#include <iostream>

extern "C" int __VERIFIER_nondet_int();

int main() {
  int number = __VERIFIER_nondet_int();
  if (number <= 0) return 0;
  std::cout << "quotient " << 100 / number << '\n' << 1.5 << std::endl;
  return 0;
}
