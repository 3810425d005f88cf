//! The clock of budgets. A file with one test, since the clock is one for the process.

use foghorn_core::{Budget, clock};
use std::thread;
use std::time::Duration;

#[test]
fn attention_goes_on_and_can_be_over() {
    let before = clock::now();
    clock::count_attention();
    clock::count_attention();
    let long = Budget::unlimited().within(Duration::from_secs(1000));
    let start = clock::now();
    assert!(start >= before);
    thread::sleep(Duration::from_millis(60));
    let passed = clock::now() - start;
    assert!(passed >= Duration::from_millis(20), "{passed:?}");
    assert_eq!(long.check(), Ok(()));
    clock::expire();
    assert!(long.check().is_err());
    let later = Budget::unlimited().within(Duration::from_secs(1000));
    assert_eq!(later.check(), Ok(()), "one of its own begins afterwards");
}
