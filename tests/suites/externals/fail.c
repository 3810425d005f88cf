// A call of a function without a body is an error, if the user says so.
// check:     memory-safety
// expect:    unsafe invalid-call @ line 9
// engines:   run bmc
// options:   --external fail

void log_event(void);
int main(void) {
  log_event();
  return 0;
}
