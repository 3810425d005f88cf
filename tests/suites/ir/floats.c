// float and double: arithmetic, comparison, conversion, the library's operations.
double mean(const float *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return count > 0 ? sum / count : -0.0;
}

int convert(double value, unsigned u) { return (int)value + (value < u) + (value != value); }

float builtins(float x) { return __builtin_sqrtf(x) + __builtin_fabsf(x); }

int main(void) {
  float values[2] = {1.5f, 2.5f};
  return convert(mean(values, 2), 3) + (int)builtins(4.0f);
}
