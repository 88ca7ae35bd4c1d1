# The benchmarks. Included by the Makefile, which defines PYTHON, DEBUG, CLIENTS and `built`; infra/infra.mk defines
# `build`.

# What is deployed is what is measured.
DEPLOYED  := .aws-sam/build/McpFunction/bootstrap
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
bench bench-growth bench-guard bench-limits bench-record: ARCH := $(HOST_ARCH)

bench: valgrind build $(CLIENTS)/typescript/.installed ## Compares with other ways to serve MCP; writes docs/performance.md (BENCH=short)
	@$(RELEASE) --manifest-path benches/echo/Cargo.toml --target-dir target/echo
	@$(EDGES) --bin native
	@$(EDGES) --bin through_lambda_http --features lambda_http
	@$(PEERS) --package rmcp-peer
	@$(PEERS) --package turul-peer
	@$(RELEASE) --manifest-path benches/stdio/Cargo.toml --target-dir target/stdio
	@$(PYTHON) benches/compare.py --portfolio $(DEPLOYED) --typescript $(CLIENTS)/typescript \
	  $(if $(filter short,$(BENCH)),--short)

bench-growth: valgrind build ## Counts how costs grow with tools, content, arguments and headers, and checks that they are linear
	@$(EDGES) --bin growth
	@$(PYTHON) benches/growth.py --portfolio $(DEPLOYED) $(if $(filter short,$(BENCH)),--check)

bench-guard: valgrind built build ## Compares instructions, allocations, sizes and crates with a baseline (UPDATE=1 writes it)
	@$(EDGES) --bin native --bin growth
	@$(PYTHON) benches/untouched.py --portfolio $(DEBUG)/portfolio
	@$(PYTHON) benches/guard.py --portfolio $(DEPLOYED) $(if $(UPDATE),--update)

bench-validation: valgrind ## Counts the instructions of checking arguments, for each keyword
	@$(PYTHON) benches/validation.py

bench-parts: ## Counts what each part of the function takes of its program, by its symbols
	@$(PYTHON) benches/parts.py

bench-limits: build ## Compares a call under three limits with a call under one (DynamoDB answers after 5 ms)
	@$(PYTHON) benches/limited.py --portfolio $(DEPLOYED)

bench-record: UPDATE := 1
bench-record: bench bench-growth bench-guard ## Measures all of this again, and writes the pages and the baseline

# Built as for a deployment, but with symbols, and so in a folder of its own. Its linker keeps them only with `-g`, and
# RUSTFLAGS take the place of the processor that cargo-lambda chooses.
CPU := $(if $(filter arm64,$(HOST_ARCH)),neoverse-n1,haswell)
link-order: valgrind $(TOOLS)/sam/bin/sam $(CARGO_LAMBDA) ## Writes the order of the functions in the function's program (after larger changes)
	@$(SAM_ENV) RUSTFLAGS="-C target-cpu=$(CPU) -C link-arg=-g" CARGO_PROFILE_RELEASE_STRIP=none \
	  CARGO_TARGET_DIR=target/symbols $(CARGO_LAMBDA) lambda build --quiet --locked --release --package portfolio
	@$(PYTHON) benches/link_order.py --portfolio target/symbols/lambda/portfolio/bootstrap

# Without valgrind the guard is skipped, but not in CI.
valgrind:
	@infra/tools/valgrind.sh || [ -z "$$CI" ]
