//! Where an installed binary finds Z3's library: `PREFIX/bin/foghorn` and `PREFIX/lib/foghorn/libz3.so.…`. What a
//! binary in the build folder needs is said in `.cargo/config.toml`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib/foghorn");
}
