// One memory read as two types.
union number {
  float f;
  unsigned u;
  unsigned char bytes[8];
};

unsigned bits_of(float value) {
  union number number;
  number.f = value;
  return number.u + number.bytes[3];
}

int main(void) { return bits_of(1.0f) != 0; }
