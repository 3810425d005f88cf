// Calls memcpy before its declaration, as old kernels do: no conflict with an implicit one.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc

int main(void) {
  char to[4], from[4] = "abc";
  memcpy(to, from, 4);
  return to[0] == 'a' && to[3] == 0 ? 0 : 1;
}

extern void *memcpy(void *, void const *, unsigned long);
