// Trait objects, enums with fields, closures and boxes.
// expect: safe
// stdout: areas 12 25 sum 37 applied 42
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
}

trait Shape {
    fn area(&self) -> i32;
}

struct Rectangle {
    width: i32,
    height: i32,
}

enum Other {
    Square(i32),
    Empty,
}

impl Shape for Rectangle {
    fn area(&self) -> i32 {
        self.width * self.height
    }
}

impl Shape for Other {
    fn area(&self) -> i32 {
        match self {
            Other::Square(side) => side * side,
            Other::Empty => 0,
        }
    }
}

fn apply(f: &dyn Fn(i32) -> i32, x: i32) -> i32 {
    f(x)
}

fn main() {
    let boxed: Box<dyn Shape> = Box::new(Rectangle { width: 3, height: 4 });
    let square = Other::Square(5);
    let empty = Other::Empty;
    let shapes: [&dyn Shape; 3] = [&*boxed, &square, &empty];
    let mut sum = 0;
    let mut i = 0;
    while i < shapes.len() {
        sum += shapes[i].area();
        i += 1;
    }
    let offset = 5;
    let add = move |x: i32| x + offset;
    unsafe {
        printf(c"areas %d %d sum %d applied %d\n".as_ptr(), boxed.area(), square.area(), sum, apply(&add, 37));
    }
}
