//! Programs in textual IR, proved and refuted.

mod common;

use common::{Verdict, verdict};
use foghorn_horn::form::{Form, IntegerForm, StepSize};

fn forms() -> Vec<Form> {
    let usual = Form::default();
    vec![
        usual,
        Form {
            step: StepSize::Small,
            ..usual
        },
        Form {
            integers: IntegerForm::Bits,
            ..usual
        },
    ]
}

const ADDRESSES: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
    function @main() -> i32 {\n\
    block0:\n\
    v0:ptr = allocate stack 16, align 16\n\
    jump block1(0:i32)\n\
    block1(v1:i32):\n\
    v2:i1 = compare slt v1, 2\n\
    branch v2, block2, block3\n\
    block2:\n\
    v3:ptr = allocate heap 8, align 16\n\
    v4:i64 = ptrtoint v3\n\
    v5:i64 = sext v1\n\
    v6:ptr = pointer-add v0 + v5 * 8\n\
    store v4 to v6, align 8\n\
    free v3\n\
    v7:i32 = add v1, 1\n\
    jump block1(v7)\n\
    block3:\n\
    v8:i64 = load v0, align 8\n\
    v9:ptr = pointer-add v0 + 8\n\
    v10:i64 = load v9, align 8\n\
    v11:i1 = compare ne v8, v10\n\
    check assertion v11\n\
    return 0:i32\n}\n";

#[test]
fn addresses_of_dead_objects_may_be_equal() {
    for form in forms() {
        assert_ne!(
            verdict(ADDRESSES, "assertions", form),
            Verdict::Safe,
            "{form}"
        );
    }
}
