// new, delete, their array forms and the one that does not throw.
// check:   memory-safety memory-cleanup assertions
// expect:  safe
// engines: run bmc
#include <cassert>
#include <new>

struct Pair {
  int first, second;
  ~Pair() { first = 0; }
};

int main() {
  int *p = new int;
  *p = 1;
  assert(*p == 1);
  delete p;
  Pair *pairs = new Pair[3]{{1, 2}, {3, 4}, {5, 6}};
  assert(pairs[2].second == 6);
  delete[] pairs;
  char *text = new (std::nothrow) char[8];
  if (text) text[7] = 0;
  delete[] text;
  delete static_cast<int *>(nullptr);
  return 0;
}
