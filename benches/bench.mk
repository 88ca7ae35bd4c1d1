# The benchmarks. Included by the Makefile, which defines PYTHON, DEBUG, CLIENTS and `built`; infra/infra.mk defines
# `build`.

# What is deployed is what is measured. The other file is linked once more, with the names of its functions.
DEPLOYED  := .aws-sam/build/McpFunction/bootstrap
NAMED     := target/named/bootstrap
HOST_ARCH := $(if $(filter aarch64 arm64,$(shell uname -m)),arm64,x86_64)
# Each crate has its own folder: they differ in their features.
RELEASE   := cargo build --quiet --locked --release
EDGES     := $(RELEASE) --manifest-path benches/edges/Cargo.toml --target-dir target/edges
PEERS     := $(RELEASE) --manifest-path benches/peers/Cargo.toml --target-dir target/peers
# BENCH=short measures little and writes no page.
BENCH     ?=
# UPDATE=1 writes the baseline of `make bench-guard`.
UPDATE    ?=

.PHONY: bench bench-growth bench-guard bench-limits bench-parts bench-record bench-validation link-order valgrind
bench bench-growth bench-guard bench-limits bench-record link-order: ARCH := $(HOST_ARCH)

bench: valgrind build $(NAMED) $(CLIENTS)/typescript/.installed ## Compares with other ways to serve MCP; writes docs/performance.md (BENCH=short)
	@$(RELEASE) --manifest-path benches/echo/Cargo.toml --target-dir target/echo
	@$(EDGES) --bin native
	@$(EDGES) --bin through_lambda_http --features lambda_http
	@$(PEERS) --package rmcp-peer
	@$(PEERS) --package turul-peer
	@$(RELEASE) --manifest-path benches/stdio/Cargo.toml --target-dir target/stdio
	@$(PYTHON) benches/compare.py --portfolio $(DEPLOYED) --named $(NAMED) \
	  --typescript $(CLIENTS)/typescript $(if $(filter short,$(BENCH)),--short)

bench-growth: valgrind build ## Counts how costs grow with tools, content, arguments and headers, and checks that they are linear
	@$(EDGES) --bin growth
	@$(PYTHON) benches/growth.py --portfolio $(DEPLOYED) $(if $(filter short,$(BENCH)),--check)

bench-guard: valgrind built build $(NAMED) ## Compares instructions, allocations, sizes and crates with a baseline (UPDATE=1 writes it)
	@$(EDGES) --bin native --bin growth
	@$(PYTHON) benches/untouched.py --portfolio $(DEBUG)/portfolio
	@$(PYTHON) benches/guard.py --portfolio $(DEPLOYED) --named $(NAMED) $(if $(UPDATE),--update)

bench-validation: valgrind ## Counts the instructions of checking arguments, for each keyword
	@$(PYTHON) benches/validation.py

# Symbols in the form `v0` have the types that a generic function was compiled for. RUSTFLAGS take the place of the
# processor that cargo-lambda chooses for arm64.
NAMES := -C symbol-mangling-version=v0 $(if $(filter arm64,$(HOST_ARCH)),-C target-cpu=neoverse-n1)
bench-parts: $(TOOLS)/sam/bin/sam $(CARGO_LAMBDA) ## Counts what each part of the function takes of its program, by its symbols
	@export RUSTFLAGS="$(NAMES)" CARGO_TARGET_DIR="$(CURDIR)/target/parts"; \
	  $(call with-names,target/parts)
	@$(PYTHON) benches/parts.py --portfolio target/parts/bootstrap

.PHONY: $(NAMED)
$(NAMED): $(TOOLS)/sam/bin/sam $(CARGO_LAMBDA)
	@$(call with-names,$(@D))

with-names = libc=$$($(PYTHON) infra/tools/release.py target $(HOST_ARCH) --libc $(LIBC)) || exit 1; \
  $(SAM_ENV) LIBC=$$libc KEEP_NAMES=1 $(MAKE) --no-print-directory -C infra/build/$(HOST_ARCH) \
  -f ../function/Makefile build-McpFunction ARTIFACTS_DIR="$(CURDIR)/$(1)"

bench-limits: build ## Compares a call under three limits with a call under one (DynamoDB answers after 5 ms)
	@$(PYTHON) benches/limited.py --portfolio $(DEPLOYED)

bench-record: UPDATE := 1
bench-record: bench bench-growth bench-guard ## Measures all of this again, and writes the pages and the baseline

link-order: valgrind $(NAMED) ## Writes the order of the functions in the function's program (after larger changes)
	@$(PYTHON) benches/link_order.py --portfolio $(NAMED)

# Without valgrind the guard is skipped, but not in CI.
valgrind:
	@infra/tools/valgrind.sh || [ -z "$$CI" ]
