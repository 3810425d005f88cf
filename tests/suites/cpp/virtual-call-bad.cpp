// A virtual call reaches the function of the object's own class.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 23
// engines: run bmc
#include <cassert>

struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};

struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};

static int measure(const Shape &shape) { return shape.area(); }

int main() {
  Shape *shape = new Square(3);
  int area = measure(*shape);
  assert(area == 8);
  delete shape;
  return 0;
}
