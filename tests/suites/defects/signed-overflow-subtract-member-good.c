// Repaired twin of: compares two members of structs by subtracting them.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

struct key {
  int value;
};

static int compare(const struct key *left, const struct key *right) {
  return (left->value > right->value) - (left->value < right->value);
}

int main(void) {
  struct key low = {-2000000000}, high = {2000000000};
  return compare(&low, &high) == 0;
}
