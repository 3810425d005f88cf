// Asked after its construction, the object has what its base lacks.
// check:   memory-safety
// expect:  safe
// engines: run bmc

struct Base {
  int seen = 0;
  virtual int answer() const = 0;
  int ask() const { return answer(); }
};

struct Derived : Base {
  int answer() const override { return 42; }
};

int main() {
  Derived derived;
  derived.seen = derived.ask();
  return derived.seen != 42;
}
