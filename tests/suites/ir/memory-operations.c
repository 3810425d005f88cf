// Copies and fills of memory that clang knows as such.
struct block {
  char bytes[64];
};

void copy(struct block *to, const struct block *from, unsigned long n) {
  *to = *from;
  __builtin_memcpy(to->bytes, from->bytes + 8, n);
  __builtin_memmove(to->bytes, to->bytes + 1, 8);
  __builtin_memset(to->bytes, 'x', 16);
}

int main(void) {
  struct block a = {{1}}, b;
  copy(&b, &a, 4);
  return b.bytes[0];
}
