// Recursion and calls through pointers.
#include <stdio.h>
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static unsigned twice(unsigned x) { return 2 * x; }
static unsigned plus(unsigned x) { return x + 3; }
int main(void) {
    unsigned (*steps[2])(unsigned) = {twice, plus};
    unsigned x = 1;
    for (int i = 0; i < 4000000; i++) x = steps[i & 1](x);
    printf("%d %u\n", fibonacci(29), x);
    return 0;
}
