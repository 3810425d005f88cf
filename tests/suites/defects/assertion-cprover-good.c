// Repaired twin of: a CPROVER assertion on wrapped unsigned arithmetic.
// check:     assertions
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  unsigned char level = 250;
  if (level <= 245)
    level += 10;
  __CPROVER_assert(level > 10, "the level stayed up");
  return 0;
}
