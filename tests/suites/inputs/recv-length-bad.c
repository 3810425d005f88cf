// A packet may be shorter than its header says.
// check:   assertions memory-safety undefined
// expect:  unsafe out-of-bounds @ line 13
// engines: bmc
#include <string.h>
#include <sys/socket.h>

int main(void) {
  unsigned char packet[8] = {0}, copy[8];
  ssize_t count = recv(3, packet, sizeof packet, 0);
  if (count < 1)
    return 1;
  memcpy(copy, packet + 1, packet[0]);
  return copy[0];
  return 0;
}
