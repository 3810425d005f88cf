//! The snapshots of what the front end makes of C are valid IR, and print as they are written.

use foghorn_ir::{parse_module, print_module, verify_module};
use std::path::Path;

#[test]
fn snapshots_parse_verify_and_print() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/ir");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of snapshots") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "fir") {
            continue;
        }
        count += 1;
        let name = path.display();
        let text = std::fs::read_to_string(&path).expect("a text");
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let breaches = verify_module(&module);
        assert!(breaches.is_empty(), "{name}: {}", breaches[0]);
        assert_eq!(print_module(&module), text, "{name}");
    }
    assert!(count >= 30, "only {count} snapshots");
}
