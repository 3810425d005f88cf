// A function of a system library changes what it is given.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    true false 0 0

#include <assert.h>
#include <sys/utsname.h>
static struct utsname name;
int main(void) {
  name.sysname[0] = 'F';
  uname(&name);
  assert(name.sysname[0] == 'F');
  return 0;
}
