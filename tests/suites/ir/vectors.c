// Vectors are split into scalars.
typedef int four __attribute__((vector_size(16)));

int dot(four a, four b) {
  four product = a * b;
  return product[0] + product[1] + product[2] + product[3];
}

int main(void) { return dot((four){1, 2, 3, 4}, (four){1, 1, 1, 1}); }
