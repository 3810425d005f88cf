// Repaired twin of: a global table is looked up with a value one beyond its range.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static const char *const names[3] = {"red", "green", "blue"};

static const char *name(unsigned colour) {
  if (colour >= 3)
      return "none";
  return names[colour];
}

int main(void) { return name(3)[0] == 0; }
