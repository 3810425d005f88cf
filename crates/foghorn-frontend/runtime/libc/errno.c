/* errno: one object, since executions are sequential. glibc, musl and BSD names. */
#include "foghorn_intrinsics.h"

static int error_number;

int *__errno_location(void) { return &error_number; }

int *__error(void) { return &error_number; }
