// Insertion sort and binary search on a slice, with checked arithmetic.
// expect: safe
// stdout: 1 2 3 5 7 8 9 found 7 at 4
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
}

fn insertion_sort(values: &mut [i32]) {
    let mut i = 1;
    while i < values.len() {
        let mut j = i;
        while j > 0 && values[j - 1] > values[j] {
            values.swap(j - 1, j);
            j -= 1;
        }
        i += 1;
    }
}

fn position(values: &[i32], wanted: i32) -> Option<usize> {
    let (mut low, mut high) = (0, values.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if values[middle] < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low < values.len() && values[low] == wanted { Some(low) } else { None }
}

fn main() {
    let mut values = [5, 3, 9, 1, 7, 2, 8];
    insertion_sort(&mut values);
    let mut i = 0;
    while i < values.len() {
        unsafe { printf(c"%d ".as_ptr(), values[i]) };
        i += 1;
    }
    match position(&values, 7) {
        Some(at) => unsafe { printf(c"found 7 at %d\n".as_ptr(), at as c_int) },
        None => unsafe { printf(c"lost\n".as_ptr()) },
    };
}
