// No function without a body is called.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// options:   --external fail

void log_event(void);
static int verbose;
int main(void) {
  if (verbose)
    log_event();
  return 0;
}
