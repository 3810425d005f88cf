// A hash over a buffer of bytes: shifts, masks and mixed widths.
#include <stdint.h>
#include <stdio.h>
int main(void) {
    uint8_t buffer[4096];
    for (unsigned i = 0; i < sizeof buffer; i++) buffer[i] = (uint8_t)(i * 31 + 7);
    uint64_t hash = 1469598103934665603u;
    for (int round = 0; round < 2400; round++)
        for (unsigned i = 0; i < sizeof buffer; i++) {
            hash ^= buffer[i];
            hash *= 1099511628211u;
            hash = hash << 13 | hash >> 51;
        }
    printf("%llu\n", (unsigned long long)hash);
    return 0;
}
