// A table of functions, calls through it, and a function that takes one.
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const operations[])(int) = {twice, square};

int apply(int (*f)(int), int x) { return f ? f(x) : 0; }

int main(void) { return operations[1](3) + apply(twice, 4); }
