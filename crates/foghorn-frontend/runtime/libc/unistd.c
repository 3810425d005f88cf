/* <unistd.h>, <fcntl.h>: descriptors, processes and the file system, as far as a sequential program
 * can see them.
 *
 * Where a program is executed, standard input and output are the interpreter's. Everything else is
 * the outside world: reads bring any bytes, fewer than asked for, or fail; calls may fail. What starts a process is unsupported.
 */
#include "foghorn_intrinsics.h"

typedef ptrdiff_t ssize_t;
typedef long off_t;

static void read_string(const char *s) {
  while (*s != 0)
    s++;
}

/* Results of functions that succeed or fail, by name: a harness can return the same. */
#define RESULT(name) int __foghorn_library_##name(void);
RESULT(open)
RESULT(creat)
RESULT(close)
RESULT(dup)
RESULT(fsync)
RESULT(ftruncate)
RESULT(isatty)
RESULT(access)
RESULT(unlink)
RESULT(rmdir)
RESULT(chdir)
RESULT(mkdir)
RESULT(getpid)
RESULT(getppid)
long __foghorn_library_lseek(void);

/* 0, or -1. */
static int outcome(int result) {
  __foghorn_assume(result == 0 || result == -1);
  return result;
}

/* A count of at most n, or -1. */
static ssize_t count_up_to(size_t n) {
  ssize_t count = (ssize_t)__foghorn_nondet_size();
  __foghorn_assume(count >= -1 && (count < 0 || (size_t)count <= n));
  return count;
}

#ifdef FOGHORN_CHOSEN_INPUT

size_t __foghorn_stdin_read(void);
size_t __foghorn_file_read(void);

/* A count of at most n comes with as many bytes; any other is an error, of one kind or another. */
ssize_t __model_descriptor_read(int fd, void *to, size_t n) {
  static _Bool at_end;
  REQUIRE_BYTES(to, n);
  if (n == 0 || (fd == 0 && at_end))
    return 0;
  size_t count = fd == 0 ? __foghorn_stdin_read() : __foghorn_file_read();
  if (count > n) {
    errno = count % 2 == 0 ? EINTR : EIO;
    return -1;
  }
  __foghorn_havoc(to, count);
  if (fd == 0 && count == 0)
    at_end = 1;
  return (ssize_t)count;
}

#else

ssize_t __model_descriptor_read(int fd, void *to, size_t n) {
  REQUIRE_BYTES(to, n);
  if (fd == 0)
    return __foghorn_read(fd, to, n);
  ssize_t count = count_up_to(n);
  if (count > 0)
    __foghorn_havoc(to, (size_t)count);
  return count;
}

#endif

ssize_t read(int fd, void *to, size_t n) { return __model_descriptor_read(fd, to, n); }

ssize_t write(int fd, const void *from, size_t n) {
  __foghorn_write(fd, from, n);
  return fd == 1 || fd == 2 ? (ssize_t)n : count_up_to(n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at) {
  (void)at;
  return __model_descriptor_read(fd == 0 ? -1 : fd, to, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
  (void)at;
  return write(fd, from, n);
}

static int new_descriptor(int fd) {
  __foghorn_assume(fd == -1 || fd >= 3);
  return fd;
}

int open(const char *path, int flags, ...) {
  (void)flags;
  read_string(path);
  return new_descriptor(__foghorn_library_open());
}

int creat(const char *path, unsigned mode) {
  (void)mode;
  read_string(path);
  return new_descriptor(__foghorn_library_creat());
}

int close(int fd) {
  if (fd < 0) {
    errno = EBADF;
    return -1;
  }
  return outcome(__foghorn_library_close());
}

int dup(int fd) { return fd < 0 ? -1 : new_descriptor(__foghorn_library_dup()); }

int dup2(int fd, int wanted) { return fd < 0 || wanted < 0 || __foghorn_nondet_bool() ? -1 : wanted; }

int pipe(int *ends) {
  ends[0] = new_descriptor(__foghorn_nondet_int());
  ends[1] = new_descriptor(__foghorn_nondet_int());
  return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

off_t lseek(int fd, off_t offset, int origin) {
  (void)fd, (void)offset, (void)origin;
  off_t position = __foghorn_library_lseek();
  __foghorn_assume(position >= -1);
  return position;
}

int fsync(int fd) { return fd < 0 ? -1 : outcome(__foghorn_library_fsync()); }

int ftruncate(int fd, off_t length) { return fd < 0 || length < 0 ? -1 : outcome(__foghorn_library_ftruncate()); }

int isatty(int fd) {
  if (fd < 0)
    return 0;
  int result = __foghorn_library_isatty();
  __foghorn_assume(result == 0 || result == 1);
  return result;
}

int access(const char *path, int mode) {
  (void)mode;
  read_string(path);
  return outcome(__foghorn_library_access());
}

int unlink(const char *path) {
  read_string(path);
  return outcome(__foghorn_library_unlink());
}

int rmdir(const char *path) {
  read_string(path);
  return outcome(__foghorn_library_rmdir());
}

int chdir(const char *path) {
  read_string(path);
  return outcome(__foghorn_library_chdir());
}

int mkdir(const char *path, unsigned mode) {
  (void)mode;
  read_string(path);
  return outcome(__foghorn_library_mkdir());
}

/* Any text that fits; when no buffer is given, one from malloc. */
char *getcwd(char *to, size_t size) {
  if (to == NULL)
    to = malloc(size == 0 ? size = 32 : size);
  if (to == NULL || size == 0 || __foghorn_nondet_bool())
    return NULL;
  __foghorn_havoc(to, size - 1);
  to[size - 1] = 0;
  return to;
}

int gethostname(char *to, size_t size) {
  if (size == 0 || __foghorn_nondet_bool())
    return -1;
  __foghorn_havoc(to, size - 1);
  to[size - 1] = 0;
  return 0;
}

static int identifier(int id) {
  __foghorn_assume(id > 0);
  return id;
}

int getpid(void) { return identifier(__foghorn_library_getpid()); }

int getppid(void) { return identifier(__foghorn_library_getppid()); }

unsigned getuid(void) { return __foghorn_nondet_uint(); }

unsigned geteuid(void) { return __foghorn_nondet_uint(); }

unsigned getgid(void) { return __foghorn_nondet_uint(); }

unsigned getegid(void) { return __foghorn_nondet_uint(); }

long sysconf(int name) {
  (void)name;
  long value = __foghorn_nondet_long();
  __foghorn_assume(value >= -1);
  return value;
}

int getpagesize(void) { return 4096; }

int fork(void) { __foghorn_unsupported("fork"); }

int vfork(void) { __foghorn_unsupported("vfork"); }

int execv(const char *path, char *const arguments[]) {
  (void)path, (void)arguments;
  __foghorn_unsupported("execv");
}

int execvp(const char *file, char *const arguments[]) {
  (void)file, (void)arguments;
  __foghorn_unsupported("execvp");
}
