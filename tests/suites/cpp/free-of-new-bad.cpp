// What new gave is not for free.
// check:   memory-safety
// expect:  unsafe invalid-free @ line 9
// engines: run bmc
#include <cstdlib>

int main() {
  int *number = new int(3);
  std::free(number);
  return 0;
}
