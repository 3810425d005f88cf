// Repaired twin of: the length of an array comes out negative.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int total(int used) {
  int left = used < 4 ? 4 - used : 1;
  char room[left];
  room[0] = 0;
  return room[0];
}

int main(void) { return total(6); }
