// A sieve and a prefix sum: loads and stores on arrays.
#include <stdio.h>
#define N 200000
static unsigned char composite[N];
static unsigned sums[N];
int main(void) {
    unsigned total = 0;
    for (int round = 0; round < 32; round++) {
        for (int i = 0; i < N; i++) composite[i] = 0;
        for (int i = 2; i * i < N; i++)
            if (!composite[i])
                for (int j = i * i; j < N; j += i) composite[j] = 1;
        unsigned sum = 0;
        for (int i = 0; i < N; i++) {
            sum += (unsigned)(composite[i] == 0) * (unsigned)i;
            sums[i] = sum;
        }
        total += sums[N - 1 - round % 8];
    }
    printf("%u\n", total);
    return 0;
}
