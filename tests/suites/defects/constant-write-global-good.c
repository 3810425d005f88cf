// Repaired twin of: casts const away from a constant table and writes to it.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

static const int limits[2] = {10, 20};
static int current[2] = {10, 20};

static void raise_limit(const int *limit) {
  *(int *)limit = 30;
}

int main(void) {
  raise_limit(&current[1]);
  return limits[0] != current[0];
}
