// long double is over-approximated, by name.
double third(double value) { return (double)((long double)value / 3); }

int main(void) { return (int)third(6.0); }
