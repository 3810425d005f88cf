// Repaired twin of: calls a callback that was never set.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

struct handler {
  int (*on_event)(int);
};

static int twice(int value) { return 2 * value; }

static int fire(const struct handler *h, int event) {
  if (h->on_event == 0)
    return twice(event);
  return h->on_event(event);
}

int main(void) {
  struct handler h = {0};
  return fire(&h, 2) != 4;
}
