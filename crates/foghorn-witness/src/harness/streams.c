//: getchar getc fgetc getchar_unlocked getc_unlocked fgets gets fread getline getdelim __getdelim ungetc __uflow scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf __model_scan_stream __model_stream_next fopen fopen64 tmpfile popen freopen fileno read recv recvfrom
#include <errno.h>
#include <sys/types.h>

/* A source of bytes: 256 is its end, 257 an error, and what was not read in the run its end too. */
struct foghorn_source {
  const unsigned short *values;
  size_t count, *next;
};
static struct foghorn_source foghorn_standard = {foghorn_stdin_values, foghorn_stdin_count,
                                                 &foghorn_stdin_next};
static struct foghorn_source foghorn_files = {foghorn_file_values, foghorn_file_count,
                                              &foghorn_file_next};

static ssize_t foghorn_take(void *cookie, char *to, size_t n) {
  struct foghorn_source *source = cookie;
  size_t done = 0;
  for (; done < n && *source->next < source->count; done++) {
    unsigned short value = source->values[*source->next];
    if (value == 257 && done == 0) {
      errno = EIO;
      return -1;
    }
    if (value >= 256)
      break;
    to[done] = (char)value;
    ++*source->next;
  }
  return (ssize_t)done;
}

/* Whoever goes back to the start finds what the run found there: what comes next. */
static int foghorn_seek(void *cookie, off64_t *offset, int origin) {
  struct foghorn_source *source = cookie;
  (void)origin;
  *offset = 0;
  if (*source->next < source->count && source->values[*source->next] >= 256)
    ++*source->next;
  return 0;
}

static ssize_t foghorn_drop(void *cookie, const char *from, size_t n) {
  (void)cookie, (void)from;
  return (ssize_t)n;
}

/* Without a buffer, so that bytes are taken when the program takes them. */
static FILE *foghorn_stream(struct foghorn_source *source, const char *mode) {
  cookie_io_functions_t functions = {foghorn_take, foghorn_drop, foghorn_seek, NULL};
  FILE *stream = fopencookie(source, mode, functions);
  if (stream)
    setvbuf(stream, NULL, _IONBF, 0);
  return stream;
}

__attribute__((constructor)) static void foghorn_open_input(void) {
  stdin = foghorn_stream(&foghorn_standard, "r");
}

static int foghorn_is_dereferenceable(void *p, size_t size);
__attribute__((noreturn)) static void foghorn_fail(const char *what);

//: fileno
int fileno(FILE *stream) {
  return stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : 3;
}

//: fgets
char *fgets(char *line, int size, FILE *stream) {
  int n = 0, c = 0, failed = ferror(stream);
  while (n < size - 1 && c != '\n' && (c = fgetc(stream)) != EOF)
    line[n++] = (char)c;
  if (size <= 0 || (c == EOF && (n == 0 || (ferror(stream) && !failed))))
    return NULL;
  line[n] = 0;
  return line;
}

//: gets
char *gets(char *line) {
  int n = 0, c;
  while ((c = fgetc(stdin)) != EOF && c != '\n')
    line[n++] = (char)c;
  if (c == EOF && (n == 0 || ferror(stdin)))
    return NULL;
  line[n] = 0;
  return line;
}

//: fread
size_t fread(void *block, size_t size, size_t count, FILE *stream) {
  size_t done = 0;
  if (!foghorn_is_dereferenceable(block, size * count))
    foghorn_fail("fread is given less memory than it is told");
  for (int c; done < size * count && (c = fgetc(stream)) != EOF;)
    ((char *)block)[done++] = (char)c;
  return size == 0 ? 0 : done / size;
}

//: fopen fopen64 popen tmpfile freopen
static FILE *foghorn_open(const char *mode) {
  if (foghorn_refused_next == foghorn_refused_count)
    foghorn_no_more_values("fopen");
  if (foghorn_refused_values[foghorn_refused_next++]) {
    errno = ENOENT;
    return NULL;
  }
  return foghorn_stream(&foghorn_files, mode);
}

//: fopen
FILE *fopen(const char *path, const char *mode) {
  (void)path;
  return foghorn_open(mode);
}

//: fopen64
FILE *fopen64(const char *path, const char *mode) {
  (void)path;
  return foghorn_open(mode);
}

//: popen
FILE *popen(const char *command, const char *mode) {
  (void)command;
  return foghorn_open(mode);
}

//: freopen
FILE *freopen(const char *path, const char *mode, FILE *stream) {
  (void)path;
  FILE *opened = foghorn_open(mode);
  if (opened && stream == stdin)
    return stdin = opened;
  return opened ? stream : NULL;
}

//: tmpfile
FILE *tmpfile(void) { return foghorn_open("w+"); }

//: read recv recvfrom
static ssize_t foghorn_read(int fd, void *to, size_t n) {
  static int at_end;
  if (!foghorn_is_dereferenceable(to, n))
    foghorn_fail("read is given less memory than it is told");
  if (n == 0 || (fd == 0 && at_end))
    return 0;
  if (fd == 0 ? foghorn_stdin_read_next == foghorn_stdin_read_count
              : foghorn_file_read_next == foghorn_file_read_count)
    foghorn_no_more_values("read");
  long count = fd == 0 ? foghorn_stdin_read_values[foghorn_stdin_read_next++]
                       : foghorn_file_read_values[foghorn_file_read_next++];
  if (count < 0) {
    errno = (int)-count;
    return -1;
  }
  if ((size_t)count > n)
    foghorn_no_more_values("read of as many bytes");
  if (fd == 0 && count == 0)
    at_end = 1;
  return foghorn_take(fd == 0 ? &foghorn_standard : &foghorn_files, to, (size_t)count);
}

//: read
ssize_t read(int fd, void *to, size_t n) { return foghorn_read(fd, to, n); }

//: recv
ssize_t recv(int fd, void *to, size_t n, int flags) {
  (void)flags;
  return foghorn_read(fd, to, n);
}

//: time
long foghorn_time_function(long *result) __asm__("time");
long foghorn_time_function(long *result) {
  if (foghorn_time_next == foghorn_time_count)
    foghorn_no_more_values("time");
  long now = foghorn_time_values[foghorn_time_next++];
  if (result)
    *result = now;
  return now;
}

//: gettimeofday clock_gettime timespec_get
static int foghorn_clock(long *now) {
  if (foghorn_seconds_next == foghorn_seconds_count || foghorn_parts_next == foghorn_parts_count)
    foghorn_no_more_values("a clock");
  now[0] = foghorn_seconds_values[foghorn_seconds_next++];
  now[1] = foghorn_parts_values[foghorn_parts_next++];
  return 0;
}

//: gettimeofday
int foghorn_gettimeofday(long *now, void *zone) __asm__("gettimeofday");
int foghorn_gettimeofday(long *now, void *zone) {
  (void)zone;
  return foghorn_clock(now);
}

//: clock_gettime
int foghorn_clock_gettime(int clock, long *now) __asm__("clock_gettime");
int foghorn_clock_gettime(int clock, long *now) { return clock < 0 ? -1 : foghorn_clock(now); }

//: getrandom
#include <errno.h>
#include <sys/types.h>
ssize_t getrandom(void *to, size_t n, unsigned flags) {
  (void)flags;
  if (foghorn_random_next == foghorn_random_count)
    foghorn_no_more_values("getrandom");
  long count = foghorn_random_values[foghorn_random_next++];
  if (count < 0) {
    errno = (int)-count;
    return -1;
  }
  if ((size_t)count > n)
    foghorn_no_more_values("getrandom of as many bytes");
  memcpy(to, foghorn_random_byte_values + foghorn_random_byte_next, (size_t)count);
  foghorn_random_byte_next += (size_t)count;
  return count;
}

