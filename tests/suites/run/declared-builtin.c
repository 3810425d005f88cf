// Declares what is built in, as tools that print C do: to gcc that is a function like any other.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 42

void __builtin_va_copy(__builtin_va_list, __builtin_va_list);
int printf(const char *, ...);

int main(void) {
  printf("%d\n", 42);
  return 0;
}
