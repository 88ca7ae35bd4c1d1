//! Checks the files in `content/` when the program is compiled, and orders its functions when it is linked.
//! Both make a start shorter (docs/adr/0036-content-checked-by-the-build.md and
//! docs/adr/0037-functions-in-the-order-of-use.md).

#[path = "src/content/mod.rs"]
#[expect(
    dead_code,
    unused_imports,
    reason = "the build only checks the content"
)]
mod content;
#[path = "src/content/prepare.rs"]
mod prepare;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    prepare_content()?;
    order_functions();
    Ok(())
}

/// Writes what is served of `content/`. The file is empty if there are findings: they are reported at each
/// start.
fn prepare_content() -> io::Result<()> {
    let directory = Path::new("../../content");
    println!("cargo::rerun-if-changed={}", directory.display());
    let prepared = prepare::prepare(&content::Sources::in_directory(directory));
    let output = Path::new(&variable("OUT_DIR")).join("content");
    fs::write(output, prepared.unwrap_or_default())
}

/// Passes the order to the linker of `cargo lambda build`. Other linkers may not take a script, and what
/// they link is not deployed.
fn order_functions() {
    const ORDER: &str = "link_order.ld";
    let target = variable("TARGET").to_uppercase().replace('-', "_");
    let linker = format!("CARGO_TARGET_{target}_LINKER");
    println!("cargo::rerun-if-changed={ORDER}");
    println!("cargo::rerun-if-env-changed={linker}");
    if variable("PROFILE") == "release" && variable(&linker).contains("zig") {
        let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join(ORDER);
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", order.display());
    }
}

/// A variable that Cargo sets, or an empty text.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
