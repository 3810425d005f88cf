// Repaired twin of: a struct outlives the local that one of its members points to.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

struct view {
  const int *data;
  int count;
};

static const int constant[2] = {1, 2};

static struct view make_view(void) {
  int local[2] = {1, 2};
  const int *data = local[0] == 1 ? constant : 0;
  return (struct view){data, 2};
}

int main(void) {
  struct view v = make_view();
  int sum = 0;
  for (int i = 0; i < v.count; i++)
    sum += v.data[i];
  return sum != 3;
}
