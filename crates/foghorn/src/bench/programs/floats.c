// An integral and an orbit: floating-point arithmetic and conversions.
#include <stdio.h>
int main(void) {
    double sum = 0;
    for (int i = 0; i < 6000000; i++) {
        double x = (i + 0.5) / 6000000.0;
        sum += 4.0 / (1.0 + x * x);
    }
    float f = 0.3f;
    for (int i = 0; i < 6000000; i++) f = 3.7f * f * (1.0f - f);
    printf("%d %d\n", (int)(sum * 10), (int)(f * 1000));
    return 0;
}
