// Integers of 128 bits.
__int128 product(long a, long b) { return (__int128)a * b; }

unsigned __int128 large(void) { return ((unsigned __int128)1 << 127) | 5; }

int main(void) { return (int)(product(3, 4) >> 1) + (large() > 7); }
