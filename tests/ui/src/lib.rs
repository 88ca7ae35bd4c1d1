//! What a user of the library sees of it: its public API, and the messages of the compiler.
//!
//! `mistakes/` has one program for each mistake, and the message that it gets. The messages are those of
//! the Rust version in `rust-version`; other versions phrase them differently.
