// Shifts by too much are checked; the bit operators and the builtins on bits.
int shift(int value, int by) { return (value << by) ^ (value >> by); }

unsigned bits(unsigned value) {
  unsigned logical = (value >> 3) | (value & 0xf0) | ~value;
  return logical + (unsigned)(__builtin_popcount(value) + __builtin_clz(value) + __builtin_ctz(value)) +
         __builtin_bswap32(value);
}

int main(void) { return shift(1, 3) + (int)bits(6); }
