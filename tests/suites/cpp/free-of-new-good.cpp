// What malloc gave is for free, and what new gave for delete.
// check:   memory-safety memory-cleanup
// expect:  safe
// engines: run bmc
#include <cstdlib>

int main() {
  int *number = new int(3);
  void *bytes = std::malloc(4);
  std::free(bytes);
  delete number;
  return 0;
}
