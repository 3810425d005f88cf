//! The object model: provenance, addresses, lazy memory, marks, observers.

use super::*;
use crate::interpret::{Access, Allocation, Observed, Observer, ProgramPoint};
use crate::module::FunctionId;

#[test]
fn pointers_survive_bytewise_copies() {
    // The loop copies one byte at a time, by loads and stores or by copies of one byte.
    for step in [
        "v6:i8 = load v4, align 1\n store v6 to v5, align 1",
        "memory-copy v5, v4, 1",
    ] {
        let body = format!(
            "v0:ptr = allocate stack 4, align 4
            store 42:i32 to v0, align 4
            v1:ptr = allocate stack 8, align 8
            v2:ptr = allocate stack 11, align 1
            store v0 to v1, align 8
            jump block1(0:i64)
            block1(v3:i64):
            v4:ptr = pointer-add v1 + v3 * 1
            v5:ptr = pointer-add v2 + 3 + v3 * 1
            {step}
            v7:i64 = add v3, 1
            v8:i1 = compare ult v7, 8
            branch v8, block1(v7), block2
            block2:
            v9:ptr = pointer-add v2 + 3
            v10:ptr = load v9, align 1
            v11:i1 = compare eq v10, v0
            check assertion v11
            v12:i32 = load v10, align 4
            return v12"
        );
        main_exits(&body, 42);
    }
}

#[test]
fn pointers_survive_copies_of_structures() {
    let body = "v0:ptr = allocate heap 24, align 8
        v1:ptr = pointer-add v0 + 16
        store 9:i32 to v1, align 4
        store v1 to v0, align 8
        v2:ptr = allocate stack 24, align 8
        memory-copy v2, v0, 24
        v3:ptr = load v2, align 8
        v4:i32 = load v3, align 4
        v5:ptr = pointer-add v2 + 16
        v6:i32 = load v5, align 4
        free v0
        v7:i32 = add v4, v6
        return v7";
    main_exits(body, 18);
}

#[test]
fn overlapping_copies_are_right_both_ways() {
    for (to, from, expected) in [(8, 0, 5), (0, 8, 6)] {
        let body = format!(
            "v0:ptr = allocate stack 32, align 8
            memory-set v0, 0, 32
            v1:ptr = pointer-add v0 + 8
            v2:ptr = pointer-add v0 + 16
            store v0 to v0, align 8
            store 5:i64 to v1, align 8
            store 6:i64 to v2, align 8
            v3:ptr = pointer-add v0 + {to}
            v4:ptr = pointer-add v0 + {from}
            memory-copy v3, v4, 16
            v5:ptr = pointer-add v3 + 8
            v6:i32 = load v5, align 4
            return v6"
        );
        main_exits(&body, expected);
    }
}

#[test]
fn a_partly_overwritten_pointer_is_none() {
    let body = "v0:ptr = allocate stack 8, align 8
        store v0 to v0, align 8
        v1:ptr = pointer-add v0 + 6
        store 1:i16 to v1, align 1
        v2:ptr = load v0, align 8
        v3:i8 = load v2, align 1 ! a.c:9:1
        return 0:i32";
    fails(&with_main("", body), CheckKind::UnknownPointer, 9);
}

#[test]
fn integers_lead_back_to_exposed_objects() {
    let body = "v0:ptr = allocate stack 32, align 16
        v1:ptr = pointer-add v0 + 13
        v2:i64 = ptrtoint v1
        v3:i64 = and v2, -8
        v4:ptr = inttoptr v3
        store 3:i32 to v4, align 4
        v5:ptr = pointer-add v0 + 8
        v6:i32 = load v5, align 4
        v7:i1 = compare eq v4, v5
        check assertion v7
        v8:ptr = pointer-add v0 + 32
        v9:i64 = ptrtoint v8
        v10:ptr = inttoptr v9
        v11:i1 = compare eq v10, v8
        check assertion v11
        return v6";
    main_exits(body, 3);
}

#[test]
fn integers_do_not_lead_to_what_is_dead_or_beyond() {
    let dead = "v0:ptr = allocate heap 8, align 8\n v1:i64 = ptrtoint v0\n free v0
        v2:ptr = inttoptr v1\n v3:i8 = load v2, align 1 ! a.c:9:1\n return 0:i32";
    fails(&with_main("", dead), CheckKind::UnknownPointer, 9);
    let beyond =
        "v0:ptr = allocate stack 8, align 8\n v1:i64 = ptrtoint v0\n v2:i64 = add v1, 100000
        v3:ptr = inttoptr v2\n v4:i8 = load v3, align 1 ! a.c:9:1\n return 0:i32";
    fails(&with_main("", beyond), CheckKind::UnknownPointer, 9);
}

#[test]
fn equality_is_of_objects_then_offsets() {
    let body = "v0:ptr = allocate heap 8, align 8
        free v0
        v1:ptr = allocate heap 8, align 8
        v2:i1 = compare ne v0, v1
        check assertion v2
        v3:ptr = pointer-add v0 + 8
        v4:i1 = compare ne v3, v1
        check assertion v4
        v5:ptr = inttoptr -1:i64
        v6:i1 = compare ne v5, v1
        check assertion v6
        free v1
        return 0:i32";
    main_exits(body, 0);
}

#[test]
fn huge_objects_cost_what_is_touched() {
    let items = "global @zeros size 200000000 align 8 = zero";
    let body = "v0:ptr = allocate heap 10000000000, align 16
        v1:ptr = pointer-add v0 + 9999999990
        store 5:i64 to v1, align 1
        v2:i64 = load v1, align 1
        v3:ptr = pointer-add v0 + 65532
        store v0 to v3, align 1
        v4:ptr = load v3, align 1
        v5:i1 = compare eq v4, v0
        check assertion v5
        v6:ptr = pointer-add @zeros + 199999992
        v7:i64 = load v6, align 8
        store 2:i64 to v6, align 8
        v8:i64 = load v6, align 8
        memory-set v0, 0, 10000000000
        v9:i64 = load v1, align 1
        free v0
        v10:i64 = add v2, v7
        v11:i64 = add v10, v8
        v12:i64 = add v11, v9
        v13:i32 = trunc v12
        return v13";
    let options = Options {
        max_memory: 10 << 20,
        ..all_checks()
    };
    let run = run_with(&with_main(items, body), &options, &mut Zeros);
    assert_eq!(run.outcome, Outcome::Exited { code: 7 });
}

#[test]
fn what_does_not_fit_into_memory_ends_the_run() {
    for body in [
        "memory-set v0, 1, 10000000000",
        "memory-set v0, 1, 700000\nmemory-copy v2, v0, 700000",
        "memory-set v2, 1, 700000\nmemory-copy v0, v2, 700000",
    ] {
        let body = format!(
            "v0:ptr = allocate heap 10000000000, align 16
            v1:ptr = pointer-add v0 + 1000
            v2:ptr = pointer-add v0 + 5000000000
            memory-set v1, 1, 100000
            {body}
            free v0
            return 0:i32"
        );
        let options = Options {
            max_memory: 1 << 20,
            ..all_checks()
        };
        let run = run_with(&with_main("", &body), &options, &mut Zeros);
        assert!(matches!(run.outcome, Outcome::OutOfMemory { .. }), "{body}");
    }
}

#[test]
fn large_overlapping_copies_are_right_both_ways() {
    // Three parts and a bit, shifted by less than a part, with a pointer in it.
    for (to, from) in [(1000, 8), (8, 1000)] {
        let body = format!(
            "v0:ptr = allocate heap 120000, align 8
            v1:ptr = pointer-add v0 + {from}
            v2:ptr = pointer-add v0 + {to}
            memory-set v1, 1, 100000
            v3:ptr = pointer-add v1 + 65536
            store v0 to v3, align 8
            v4:ptr = pointer-add v1 + 99996
            store 7:i32 to v4, align 4
            store 5:i32 to v1, align 4
            memory-copy v2, v1, 100000
            v5:ptr = pointer-add v2 + 65536
            v6:ptr = load v5, align 8
            v7:i1 = compare eq v6, v0
            check assertion v7
            v8:i32 = load v2, align 4
            v9:ptr = pointer-add v2 + 99996
            v10:i32 = load v9, align 4
            v11:i32 = add v8, v10
            v12:ptr = pointer-add v2 + 50000
            v13:i8 = load v12, align 1
            v14:i32 = zext v13
            v15:i32 = add v11, v14
            free v0
            return v15"
        );
        main_exits(&body, 13);
    }
}

#[test]
fn narrow_pointers_wrap_at_their_width() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 4\nentry @main
        global @p size 8 align 4 = { 4: @p + 2 }
        function @main() -> i32 {
        block0:
        v0:ptr = pointer-add @p + 4
        v1:ptr = load v0, align 4
        v2:ptr = pointer-add v1 + -1 * 1 + 2147483647 * 2
        v3:ptr = pointer-add v2 + 5
        v4:i1 = compare eq v3, v0
        check assertion v4
        v5:i32 = ptrtoint v0
        v6:i32 = ptrtoint @p
        v7:i32 = sub v5, v6
        v8:ptr = inttoptr -1:i32
        v9:ptr = pointer-add null + -1
        v10:i1 = compare eq v8, v9
        check assertion v10
        v11:ptr = pointer-add v8 + 4
        v12:ptr = inttoptr 3:i32
        v13:i1 = compare eq v11, v12
        check assertion v13
        return v7
        }";
    exits(text, 4);
}

#[test]
fn base_assignments_do_not_matter_unless_addresses_are_compared() {
    let programs = [
        "v0:ptr = allocate heap 10, align 1\n v1:ptr = allocate heap 10, align 8\n store v0 to v1, align 8\n v2:i64 = load v1, align 8\n v3:ptr = inttoptr v2\n store 4:i8 to v3, align 1\n v4:i8 = load v0, align 1\n v5:i32 = zext v4\n free v1\n free v3\n return v5",
        "v0:ptr = allocate stack 16, align 16\n v1:i64 = ptrtoint v0\n v2:i64 = and v1, 15\n v3:i32 = trunc v2\n return v3",
        "v0:ptr = allocate stack 16, align 16\n v1:i64 = ptrtoint v0\n v2:i64 = add v1, 17\n v3:ptr = inttoptr v2\n store 1:i8 to v3, align 1\n return 0:i32",
    ];
    for body in programs {
        let text = with_main("", body);
        let with_seed = |address_seed| {
            let options = Options {
                address_seed,
                ..all_checks()
            };
            match run_with(&text, &options, &mut Zeros).outcome {
                Outcome::Failed(failure) => (None, Some((failure.kind, failure.span))),
                Outcome::Exited { code } => (Some(code), None),
                other => panic!("{other:?}"),
            }
        };
        let first = with_seed(0);
        for seed in 1..20 {
            assert_eq!(with_seed(seed), first, "{body}");
        }
    }
    let comparing = "v0:ptr = allocate stack 16, align 16\n v1:ptr = allocate stack 16, align 16\n v2:i1 = compare ult v0, v1\n v3:i32 = zext v2\n return v3";
    let with_seed = |address_seed| {
        let options = Options {
            address_seed,
            checks: [].into(),
            ..Options::default()
        };
        run_with(&with_main("", comparing), &options, &mut Zeros).outcome
    };
    assert_ne!(with_seed(0), with_seed(1));
}

/// A layout is taken as far as the memory model allows it, and given back.
#[test]
fn objects_lie_where_the_options_say() {
    let body = "v0:ptr = allocate stack 16, align 8
        v1:ptr = allocate heap 16, align 8
        v2:i64 = ptrtoint v0
        v3:i64 = ptrtoint v1
        v4:i64 = sub v3, v2
        free v1
        v5:ptr = allocate heap 16, align 8
        v6:i64 = ptrtoint v5
        v7:i64 = sub v6, v2
        v8:i64 = add v4, v7
        v9:i32 = trunc v8
        free v5
        return v9";
    let with_layout = |layout: &[u64]| {
        let options = Options {
            layout: layout.to_vec(),
            ..all_checks()
        };
        let run = run_with(&with_main("", body), &options, &mut Zeros);
        let bases: Vec<u64> = run.layout.iter().map(|placement| placement.base).collect();
        let Outcome::Exited { code } = run.outcome else {
            panic!("{:?}", run.outcome);
        };
        (code, bases)
    };
    let touching = [0x2000, 0x2010, 0x2010];
    assert_eq!(with_layout(&touching), (32, touching.to_vec()));
    let overlapping = with_layout(&[0x2000, 0x2008, 0x2000]).1;
    assert!(overlapping[1] != 0x2008 && overlapping[2] != 0x2000);
    let (code, own) = with_layout(&[]);
    assert_eq!(with_layout(&own), (code, own), "a run can be had again");
}

/// Where objects touch, the end of one is the start of the next as a number. Back it leads to the
/// object whose pointer was last made into it.
#[test]
fn ends_that_touch_stay_apart_as_pointers() {
    let body = "v0:ptr = allocate stack 16, align 8
        v1:ptr = allocate stack 16, align 8
        v2:i64 = ptrtoint v0
        v3:i64 = ptrtoint v1
        v4:ptr = pointer-add v0 + 16
        v5:ptr = inttoptr v3
        v6:i1 = compare eq v5, v1
        check assertion v6
        v7:i64 = ptrtoint v4
        v8:i1 = compare eq v7, v3
        check assertion v8
        v9:ptr = inttoptr v7
        v10:i1 = compare eq v9, v4
        check assertion v10
        v11:i1 = compare ne v4, v1
        check assertion v11
        v12:i64 = add v2, 15
        v13:ptr = inttoptr v12
        store 1:i8 to v13, align 1
        return 0:i32";
    let options = Options {
        layout: vec![0x2000, 0x2010],
        ..all_checks()
    };
    let run = run_with(&with_main("", body), &options, &mut Zeros);
    assert_eq!(run.outcome, Outcome::Exited { code: 0 });
}

#[test]
fn builtins_see_the_object_model() {
    let body = "v0:ptr = allocate heap 12, align 4
        v1:ptr = pointer-add v0 + 5
        v2:i64 = call-builtin object-size(v1)
        v3:i64 = call-builtin object-offset(v1)
        v4:i1 = call-builtin same-object(v0, v1)
        v5:i1 = call-builtin is-dereferenceable(v1, 7:i64)
        v6:i1 = call-builtin is-dereferenceable(v1, 8:i64)
        v7:i1 = call-builtin is-alive(v1)
        call-builtin set-shadow(3:i8, v1, 99:i64)
        v8:i64 = call-builtin get-shadow(3:i8, v0)
        v9:i64 = call-builtin get-shadow(4:i8, v0)
        call-builtin track-accesses(true)
        store 1:i32 to v0, align 4
        v10:i1 = call-builtin is-modified(v0)
        v11:i1 = call-builtin is-modified(v1)
        v12:i1 = call-builtin is-read(v0)
        v13:i32 = load v0, align 4
        v14:i1 = call-builtin is-read(v0)
        call-builtin reset-modified(v1)
        v15:i1 = call-builtin is-modified(v0)
        call-builtin track-accesses(false)
        free v0
        v16:i1 = call-builtin is-alive(v0)
        v17:i64 = add v2, v3
        v18:i64 = add v17, v8
        v19:i64 = add v18, v9
        v20:i1 = compare eq v19, 116
        check assertion v20
        v21:i1 = and v4, v5
        v22:i1 = and v21, v7
        v23:i1 = and v22, v10
        v24:i1 = and v23, v14
        check assertion v24
        v25:i1 = or v6, v11
        v26:i1 = or v25, v12
        v27:i1 = or v26, v15
        v28:i1 = or v27, v16
        v29:i1 = xor v28, true
        check assertion v29
        return 0:i32";
    main_exits(body, 0);
}

#[test]
fn havoc_makes_bytes_indeterminate() {
    let body = "v0:ptr = allocate stack 8, align 8
        store 1:i64 to v0, align 8
        call-builtin havoc-memory(v0, 4:i64)
        v1:i64 = load v0, align 8
        v2:i32 = trunc v1
        return v2";
    let text = with_main("", body);
    let run = run_with(
        &text,
        &all_checks(),
        &mut super::super::Listed::of_bits([u128::MAX]),
    );
    assert_eq!(run.outcome, Outcome::Exited { code: -1 });
}

/// A terabyte that nobody determined costs nothing; what was written in it is forgotten.
#[test]
fn havoc_of_a_huge_object_is_cheap() {
    let body = "v0:ptr = allocate heap 1099511627776, align 8
        store 1:i64 to v0, align 8
        call-builtin havoc-memory(v0, 1099511627776:i64)
        v1:i64 = load v0, align 8
        store 2:i64 to v0, align 8
        call-builtin havoc-memory(v0, 1099511627775:i64)
        v2:i64 = load v0, align 8
        v3:i64 = add v1, v2
        v4:i32 = trunc v3
        free v0
        return v4";
    let text = with_main("", body);
    let options = Options {
        max_memory: 10 << 20,
        ..all_checks()
    };
    let run = run_with(&text, &options, &mut super::super::Listed::of_bits([40, 2]));
    assert_eq!(run.outcome, Outcome::Exited { code: 42 });
}

#[derive(Default)]
struct Recorder {
    events: Vec<String>,
}

impl Observer for Recorder {
    fn read(&mut self, access: Access) {
        self.events
            .push(format!("read {}+{}", access.offset, access.length));
    }
    fn write(&mut self, access: Access) {
        assert!(matches!(access.allocation, Allocation::Instruction(..)));
        self.events
            .push(format!("write {}+{}", access.offset, access.length));
    }
    fn store(&mut self, _: Access, ty: crate::Type, value: Observed) {
        self.events.push(format!("store {ty} {value:?}"));
    }
    fn havoc(&mut self, access: Access) {
        self.events.push(format!("havoc {}", access.length));
    }
    fn determine(&mut self, access: Access, bits: u128) {
        self.events
            .push(format!("determine {} {bits}", access.offset));
    }
    fn allocate(&mut self, access: Access, _: foghorn_core::SpanId) {
        self.events.push(format!("allocate {}", access.length));
    }
    fn free(&mut self, access: Access) {
        self.events.push(format!("free {}", access.length));
    }
    fn indirect_call(&mut self, _: ProgramPoint, callee: FunctionId) {
        self.events.push(format!("call {callee}"));
    }
    fn bind(&mut self, _: ProgramPoint, variable: crate::VariableId, _: crate::Type, bits: u128) {
        self.events.push(format!("{variable} = {bits}"));
    }
    fn block(&mut self, _: FunctionId, block: crate::BlockId) {
        self.events.push(format!("{block}"));
    }
}

#[test]
fn an_observer_sees_every_access() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main
        function @f() {\nblock0:\n return\n}
        function @main() -> i32 {
        variable var0 x signed
        block0:
        v0:ptr = allocate heap 16, align 8
        store 5:i32 to v0, align 4
        v1:ptr = pointer-add v0 + 8
        memory-copy v1, v0, 4
        v2:i32 = load v1, align 4
        bind var0, v2
        call-builtin havoc-memory(v1, 4:i64)
        v3:i32 = load v1, align 4
        jump block1
        block1:
        call-indirect @f()
        free v0
        return v2
        }";
    let module = parse(text);
    let mut recorder = Recorder::default();
    let program = Program::with_events(&module);
    let run = program.run_observed(
        &all_checks(),
        &mut Zeros,
        &mut RecordedWorld::default(),
        &mut recorder,
    );
    assert_eq!(run.expect("starts").outcome, Outcome::Exited { code: 5 });
    let expected = [
        "block0",
        "allocate 16",
        "write 0+4",
        "store i32 Bits(5)",
        "read 0+4",
        "write 8+4",
        "read 8+4",
        "var0 = 5",
        "write 8+4",
        "havoc 4",
        "read 8+4",
        "determine 8 0",
        "block1",
        "call fn0",
        "block0",
        "free 16",
    ];
    assert_eq!(recorder.events, expected);
}
