// A virtual call reaches the function of the object's own class, and so does its destructor.
// check:   assertions memory-safety memory-cleanup
// expect:  safe
// engines: run bmc
#include <cassert>

static int destroyed;

struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};

struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
  ~Square() override { destroyed = side; }
};

static int measure(const Shape &shape) { return shape.area(); }

int main() {
  Shape *shape = new Square(3);
  int area = measure(*shape);
  assert(area == 9);
  delete shape;
  assert(destroyed == 3);
  return 0;
}
