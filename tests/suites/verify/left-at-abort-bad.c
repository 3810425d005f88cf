// The program aborts before it has freed what it made.
// check:   memory-cleanup
// expect:  unsafe not-freed @ line 10
// engines: bmc
void *malloc(unsigned long size);
void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
void abort(void);
int main(void) {
  int *number = malloc(sizeof *number);
  *number = __VERIFIER_nondet_int();
  if (*number == 17)
    abort();
  free(number);
  return 0;
}
