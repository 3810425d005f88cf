/* <sys/socket.h>, <sys/random.h>, <sys/uio.h>: bytes from elsewhere.
 *
 * What comes from a socket or from the kernel is any bytes, fewer than asked for, or an error.
 */
#include "foghorn_intrinsics.h"

typedef ptrdiff_t ssize_t;

ssize_t __model_descriptor_read(int fd, void *to, size_t n);

ssize_t recv(int fd, void *to, size_t n, int flags) {
  (void)flags;
  return __model_descriptor_read(fd, to, n);
}

/* The sender's address is any, of any length up to the room for it. */
ssize_t recvfrom(int fd, void *to, size_t n, int flags, void *address, unsigned *length) {
  ssize_t count = __model_descriptor_read(fd, to, n);
  (void)flags;
  if (count >= 0 && address != NULL) {
    unsigned used = __foghorn_nondet_uint();
    __foghorn_assume(used <= *length);
    __foghorn_havoc(address, used);
    *length = used;
  }
  return count;
}

#ifdef FOGHORN_CHOSEN_INPUT
size_t __foghorn_library_getrandom(void);
#define __foghorn_chosen_count __foghorn_library_getrandom
#else
#define __foghorn_chosen_count __foghorn_nondet_size
#endif

ssize_t getrandom(void *to, size_t n, unsigned flags) {
  (void)flags;
  REQUIRE_BYTES(to, n);
  size_t count = __foghorn_chosen_count();
  if (count > n) {
    errno = EINTR;
    return -1;
  }
  __foghorn_havoc(to, count);
  return (ssize_t)count;
}

int getentropy(void *to, size_t n) {
  if (n > 256) {
    errno = EIO;
    return -1;
  }
  return getrandom(to, n, 0) == (ssize_t)n ? 0 : -1;
}
