// Compares two members of structs by subtracting them.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 12
// engines:   run bmc
// sanitizer: undefined

struct key {
  int value;
};

static int compare(const struct key *left, const struct key *right) {
  return left->value - right->value;
}

int main(void) {
  struct key low = {-2000000000}, high = {2000000000};
  return compare(&low, &high) == 0;
}
