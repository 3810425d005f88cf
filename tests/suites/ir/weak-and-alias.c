// A second name for a function, and a weak one that nobody defines.
int real(void) { return 4; }
int other(void) __attribute__((alias("real")));
int optional(void) __attribute__((weak));

int main(void) { return other() + (optional ? optional() : 0); }
