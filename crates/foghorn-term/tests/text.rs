//! What is printed is parsed back to the same term.

use foghorn_term::generate::{Fragment, Generator};
use foghorn_term::text::{parse_script, parse_term, print_script, print_term};
use foghorn_term::{Op, Sort, TermPool};

#[test]
fn printing_and_parsing_are_inverse() {
    for (number, fragment) in [
        Fragment::everything(),
        Fragment::default(),
        Fragment::linear_integers(),
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..100 {
            let mut pool = TermPool::new();
            let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
            let formula = generator.formula(&mut pool, 60);
            let text = print_script(&pool, formula);
            let mut other = TermPool::new();
            let parsed = parse_script(&mut other, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let again = print_script(&other, parsed[0]);
            assert_eq!(
                text.len(),
                again.len(),
                "fragment {number} seed {seed}\n{text}\n{again}"
            );
            let mut third = TermPool::new();
            let reparsed = parse_script(&mut third, &again).unwrap();
            assert_eq!(print_script(&third, reparsed[0]), again);
        }
    }
}

#[test]
fn closed_terms_come_back_identical_in_the_same_pool() {
    let fragment = Fragment {
        lambdas: false,
        ..Fragment::everything()
    };
    for seed in 0..50 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
        let formula = generator.formula(&mut pool, 60);
        let text = print_term(&pool, formula);
        assert_eq!(
            parse_term(&mut pool, &Default::default(), &text).unwrap(),
            formula
        );
    }
}

#[test]
fn odd_names_are_quoted() {
    let mut pool = TermPool::new();
    let and = pool.symbol("and", Sort::Bool);
    let spaced = pool.symbol("two words", Sort::Bool);
    let both = pool.intern(Op::And, &[and, spaced]);
    let text = print_term(&pool, both);
    assert_eq!(text, "(and |and| |two words|)");
    assert_eq!(
        parse_term(&mut pool, &Default::default(), &text).unwrap(),
        both
    );
}

#[test]
fn bad_text_is_an_error() {
    let mut pool = TermPool::new();
    pool.symbol("p", Sort::Bool);
    for text in [
        "",
        "(",
        ")",
        "()",
        "q",
        "(and p)",
        "(bvadd p p)",
        "((_ extract 1 2) #x00)",
        "(_ float 1 1 #b11)",
        "|p",
    ] {
        assert!(
            parse_term(&mut pool, &Default::default(), text).is_err(),
            "{text}"
        );
    }
}
