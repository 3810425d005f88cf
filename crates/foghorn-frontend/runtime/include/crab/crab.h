/* The name under which older programs include Clam's interface. */
#include "clam/clam.h"
