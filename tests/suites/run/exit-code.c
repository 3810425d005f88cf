// Returns a value computed by a loop, without any library.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc absint
// exit:    42

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 10; i++)
    sum += i;
  return (int)(sum - 3);
}
