MACHINE := x86_64
# For any x86_64. cargo-lambda compiles for Haswell: the function would be 0.2 MB larger, and no faster. The other
# optimizations that it sets are in Cargo.toml.
OPTIONS := --disable-optimizations
