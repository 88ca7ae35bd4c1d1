//! Each mistake gets a message of its own. `TRYBUILD=overwrite make test-ui` writes changed messages.

use std::process::Command;

#[test]
fn each_mistake_gets_a_message_that_names_it() {
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.expect("rustc runs").stdout;
    let rustc = String::from_utf8_lossy(&rustc);
    let expected = concat!("rustc ", env!("CARGO_PKG_RUST_VERSION"), ".");
    if rustc.starts_with(expected) {
        trybuild::TestCases::new().compile_fail("mistakes/*.rs");
    } else {
        println!("SKIPPED: the messages are those of {expected}, not of {rustc}");
    }
}
