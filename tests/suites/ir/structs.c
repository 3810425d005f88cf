// Members, nested structures, assignment of a whole structure, an array of structures.
struct point {
  int x;
  long y;
};

struct shape {
  char kind;
  struct point corners[2];
};

long area(struct shape *shape, int corner) {
  struct point copy = shape->corners[corner];
  copy.x++;
  shape->corners[1] = copy;
  return copy.x * shape->corners[0].y;
}

int main(void) {
  struct shape shape = {.kind = 's', .corners = {{1, 2}, {3, 4}}};
  return (int)area(&shape, 1);
}
