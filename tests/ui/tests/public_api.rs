//! The public API of the library, one item a line: a change of it shows in the snapshot.

use std::env;
use std::path::Path;

#[test]
fn the_public_api_is_what_was_reviewed() {
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/doc/lambda_mcp.json");
    let json = env::var_os("RUSTDOC_JSON").map_or(written, Into::into);
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    match api {
        Ok(api) => insta::assert_snapshot!("lambda_mcp", api),
        Err(error) => panic!("{}: {error}; run `make test-api`", json.display()),
    }
}
