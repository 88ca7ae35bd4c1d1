//! Checks the files in `content/` when the program is compiled, and orders its functions when it is linked.
//! Both make a start shorter (docs/adr/0036-content-checked-by-the-build.md,
//! docs/adr/0037-functions-in-the-order-of-use.md and docs/adr/0038-the-c-library-is-part-of-the-function.md).

use std::path::Path;
use std::{env, fs, io};

use portfolio_content::{Sources, prepare};

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
    let prepared = prepare::prepare(&Sources::in_directory(directory));
    let output = Path::new(&variable("OUT_DIR")).join("content");
    fs::write(output, prepared.unwrap_or_default())
}

/// Passes the order of the functions to the linker of a deployment (`infra/build/function/Makefile`), which packs
/// the addresses that a start must adjust, folds equal functions, and removes names. Other linkers may not know
/// these options, and what they link is not deployed.
fn order_functions() {
    const ORDER: &str = "link_order.ld";
    let target = variable("TARGET").to_uppercase().replace('-', "_");
    let linker = format!("CARGO_TARGET_{target}_LINKER");
    println!("cargo::rerun-if-changed={ORDER}");
    println!("cargo::rerun-if-env-changed={linker}");
    println!("cargo::rerun-if-env-changed=KEEP_NAMES");
    if variable("PROFILE") == "release" && variable(&linker).ends_with("rust-lld") {
        let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join(ORDER);
        println!("cargo::rustc-link-arg-bins=-T{}", order.display());
        println!("cargo::rustc-link-arg-bins=-zpack-relative-relocs");
        // Equal functions are one. Rust does not promise that functions have different addresses.
        println!("cargo::rustc-link-arg-bins=--icf=all");
        if variable("KEEP_NAMES").is_empty() {
            println!("cargo::rustc-link-arg-bins=--strip-all");
        }
    }
}

/// A variable that Cargo or a build sets, or an empty text.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
