// Calls a callback that was never set.
// check:     memory-safety
// expect:    unsafe invalid-call @ line 14
// engines:   run bmc
// sanitizer: function

struct handler {
  int (*on_event)(int);
};

static int twice(int value) { return 2 * value; }

static int fire(const struct handler *h, int event) {
  return h->on_event(event);
}

int main(void) {
  struct handler h = {0};
  return fire(&h, 2) != 4;
}
