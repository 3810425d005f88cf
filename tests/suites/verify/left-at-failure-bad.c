// The program ends where an assertion fails, though nobody asks about it; what it made is not freed.
// check:   memory-cleanup
// expect:  unsafe not-freed @ line 10
// engines: bmc
void *malloc(unsigned long size);
void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int *number = malloc(sizeof *number);
  *number = __VERIFIER_nondet_int();
  if (*number == 17)
    __VERIFIER_error();
  free(number);
  return 0;
}
