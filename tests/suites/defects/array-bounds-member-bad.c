// Overruns an array member into the member behind it, within one struct.
// check:     undefined
// expect:    unsafe array-bounds @ line 15
// engines:   run bmc
// sanitizer: undefined

struct account {
  char owner[4];
  int balance;
};

int main(void) {
  struct account a = {"bob", 7};
  for (int i = 0; i < 8; i++)
    a.owner[i] = 'x';
  return a.balance == 0;
}
