//! Tests of choices.

use super::*;

fn ask(source: &mut Listed, name: &str, ty: Type) -> Option<u128> {
    source.choose(&ChoiceRequest {
        origin: &NondetOrigin::Input(name.into()),
        ty,
        width: 32,
        span: SpanId::UNKNOWN,
        index: 0,
        at: None,
        known: &[],
    })
}

#[test]
fn named_values_wait_for_their_name() {
    let text = "1\nb = -2 # second\n\n# nothing\n0x3\nb=4.5\ntrue";
    let mut listed = Listed::parse(text).expect("well formed");
    assert_eq!(ask(&mut listed, "b", Type::I32), Some(u128::MAX - 1));
    assert_eq!(ask(&mut listed, "a", Type::I32), Some(1));
    assert_eq!(
        ask(&mut listed, "b", Type::F64),
        Some(4.5_f64.to_bits().into())
    );
    assert_eq!(ask(&mut listed, "b", Type::I32), Some(3));
    assert_eq!(ask(&mut listed, "a", Type::I32), Some(1));
    assert_eq!(ask(&mut listed, "a", Type::I32), None);
    assert_eq!(ask(&mut listed.then_zeros(), "a", Type::I32), Some(0));
}

#[test]
fn objects_have_addresses_reserved() {
    let mut listed = Listed::parse("address=0x1000\n5\naddress=0x2000").expect("well formed");
    let request = BaseRequest {
        object: ObjectId::NULL,
        allocation: Allocation::Arguments,
    };
    assert_eq!(ask(&mut listed, "a", Type::I32), Some(5));
    assert_eq!(listed.base(&request), Some(0x1000));
    assert_eq!(listed.base(&request), Some(0x2000));
    assert_eq!(listed.base(&request), None);
}

#[test]
fn known_objects_are_pointed_to_by_number() {
    let mut listed = Listed::parse("&2+8\n&1").expect("well formed");
    let second = ask(&mut listed, "", Type::Ptr).expect("a value");
    assert_eq!(known_object(second), (Some(1), 8));
    let first = ask(&mut listed, "", Type::Ptr).expect("a value");
    assert_eq!(first, pointer_to_known(0, 0));
    assert_eq!(known_object(0x1234), (None, 0x1234));
    Listed::parse("&0").expect_err("they are counted from one");
    Listed::parse("&x").expect_err("no number");
}

#[test]
fn numbers_become_floats_and_bits_stay_bits() {
    let mut listed = Listed::parse("3\n0x40400000\n-inf").expect("well formed");
    assert_eq!(
        ask(&mut listed, "", Type::F32),
        Some(3.0_f32.to_bits().into())
    );
    assert_eq!(
        ask(&mut listed, "", Type::F32),
        Some(3.0_f32.to_bits().into())
    );
    let infinite = f64::NEG_INFINITY.to_bits();
    assert_eq!(ask(&mut listed, "", Type::F64), Some(infinite.into()));
}

#[test]
fn what_is_no_value_is_named_with_its_line() {
    let error = Listed::parse("1\nx=two").expect_err("no value");
    assert_eq!(error.to_string(), "line 2: 'x=two' is not a value");
}

#[test]
fn seeded_values_fit_and_differ_by_seed() {
    let draw = |seed: u64, width: u8| -> Vec<u128> {
        let mut source = Seeded::new(seed);
        let origin = NondetOrigin::Undefined;
        (0..1000)
            .filter_map(|index| {
                source.choose(&ChoiceRequest {
                    origin: &origin,
                    ty: Type::Int(width),
                    width: width.into(),
                    span: SpanId::UNKNOWN,
                    index,
                    at: None,
                    known: &[],
                })
            })
            .collect()
    };
    assert_eq!(draw(1, 32), draw(1, 32));
    assert_ne!(draw(1, 32), draw(2, 32));
    for width in [1, 7, 8, 64, 128] {
        let drawn = draw(3, width);
        assert!(drawn.iter().all(|&bits| cut(bits, width.into()) == bits));
        assert!(drawn.contains(&0) && drawn.contains(&cut(u128::MAX, width.into())));
    }
}
