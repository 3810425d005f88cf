// A constructor calls, through another function, what its class does not have yet.
// check:   memory-safety
// expect:  unsafe invalid-call @ line 10
// engines: run bmc

struct Base {
  int seen;
  Base() { seen = ask(); }
  virtual int answer() const = 0;
  int ask() const { return answer(); }
};

struct Derived : Base {
  int answer() const override { return 42; }
};

int main() {
  Derived derived;
  return derived.seen == 42;
}
