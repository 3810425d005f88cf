// A program that prints, and divides by what may be zero.
// check:   undefined memory-safety
// expect:  unsafe division @ line 11
// engines: run bmc
// inputs:  0
#include <iostream>

extern "C" int __VERIFIER_nondet_int();

int main() {
  int quotient = 100 / __VERIFIER_nondet_int();
  std::cout << "quotient " << quotient << std::endl;
  return 0;
}
