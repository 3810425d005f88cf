// The program ends where an assertion fails, though nobody asks about it; all is freed by then.
// check:   memory-cleanup
// expect:  safe
// engines: bmc
void *malloc(unsigned long size);
void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int *number = malloc(sizeof *number);
  *number = __VERIFIER_nondet_int();
  int value = *number;
  free(number);
  if (value == 17)
    __VERIFIER_error();
  return 0;
}
