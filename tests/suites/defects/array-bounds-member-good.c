// Repaired twin of: overruns an array member into the member behind it, within one struct.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

struct account {
  char owner[4];
  int balance;
};

int main(void) {
  struct account a = {"bob", 7};
  for (int i = 0; i < 4; i++)
    a.owner[i] = 'x';
  return a.balance == 0;
}
