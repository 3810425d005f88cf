// Objects with static life are constructed before main and in functions on the first call, and
// destroyed in reverse order after it.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 14
// engines: run bmc
#include <cassert>

static int live;

struct Counter {
  int number;
  explicit Counter(int number) : number(number) { live++; }
  ~Counter() {
    assert(live != 1);
    live--;
  }
};

static Counter first(1);
static Counter second(2);

static int count() {
  static Counter third(3);
  return third.number++;
}

int main() {
  if (live != 2) return 1;
  return count() + count() != 7;
}
