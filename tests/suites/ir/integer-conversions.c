// Narrowing, sign extension, zero extension, _Bool.
long widen(signed char s, unsigned char u) { return s + u; }

unsigned char narrow(long value) { return (unsigned char)value; }

_Bool truth(int value) { return value; }

int main(void) { return (int)widen(-1, 2) + narrow(257) + truth(2); }
