/* What compilers know without being told. Files that call these before they declare them are
   compiled once more with this in front, as clang is told not to treat the names as built in. */
void *memcpy(void *, const void *, __SIZE_TYPE__);
#include "prelude.h"
