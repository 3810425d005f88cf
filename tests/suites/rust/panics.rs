// An index that is out of bounds for the last element: Rust panics.
// expect: unsafe assertion @ line 14
// stdout: sum of the first three 6
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
}

fn sum(values: &[i32], count: usize) -> i32 {
    let mut total = 0;
    let mut i = 0;
    while i < count {
        total += values[i];
        i += 1;
    }
    total
}

fn main() {
    let values = [1, 2, 3, 4, 5];
    unsafe { printf(c"sum of the first three %d\n".as_ptr(), sum(&values, 3)) };
    let count = values.len() + 1;
    unsafe { printf(c"sum of all %d\n".as_ptr(), sum(&values, count)) };
}
