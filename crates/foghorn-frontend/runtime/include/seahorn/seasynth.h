/* SeaHorn's interface for the synthesis of partial functions. Foghorn synthesises nothing: a partial
 * function without a body is an external function like any other. */
#pragma once

#ifdef sassert
#error "include seahorn/seasynth.h instead of seahorn/seahorn.h, not after it"
#endif
#define SEA_SYNTH
#include "seahorn/seahorn.h"
