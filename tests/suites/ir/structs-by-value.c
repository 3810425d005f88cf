// Structures as arguments and results: in registers, and by hidden pointers.
struct small {
  int a, b;
};

struct large {
  long values[5];
};

struct small swap(struct small s) {
  struct small result = {s.b, s.a};
  return result;
}

struct large fill(struct large l, long value) {
  l.values[2] = value;
  return l;
}

int main(void) {
  struct small s = swap((struct small){1, 2});
  struct large l = fill((struct large){{0}}, 3);
  return s.a + (int)l.values[2];
}
