#!/bin/sh
# rustdoc that writes JSON, for `RUSTDOC=infra/tools/rustdoc_json.sh cargo doc`. The format is not stable:
# tests/ui/Cargo.toml names the version of the parser that fits the Rust version in rust-version.
case " $* " in
  *" --crate-name "*) RUSTC_BOOTSTRAP=1 exec rustdoc "$@" -Zunstable-options --output-format json ;;
  *) exec rustdoc "$@" ;;
esac
