// Casts const away from a constant table and writes to it.
// check:     memory-safety
// expect:    unsafe constant-write @ line 11
// engines:   run bmc
// sanitizer: address

static const int limits[2] = {10, 20};
static int current[2] = {10, 20};

static void raise_limit(const int *limit) {
  *(int *)limit = 30;
}

int main(void) {
  raise_limit(&limits[1]);
  return limits[0] != current[0];
}
