// The length of an array comes out negative.
// check:     undefined
// expect:    unsafe vla-bound @ line 9
// engines:   run bmc
// sanitizer: undefined

static int total(int used) {
  int left = 4 - used;
  char room[left];
  room[0] = 0;
  return room[0];
}

int main(void) { return total(6); }
