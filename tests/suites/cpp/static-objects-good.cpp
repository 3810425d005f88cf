// Objects with static life are constructed before main and in functions on the first call, and
// destroyed in reverse order after it.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc
#include <cassert>

static int live;

struct Counter {
  int number;
  explicit Counter(int number) : number(number) { live++; }
  ~Counter() {
    assert(live == number || number > 3);
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
  assert(live == 2);
  int sum = count();
  sum += count();
  assert(live == 3 && sum == 7);
  return 0;
}
