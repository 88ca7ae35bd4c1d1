# Durable tasks: their worker, and tests against AWS's emulator of durable executions. Included by the
# Makefile, which defines TOOLS, PYTHON, DEBUG, CONFORMANCE, `built` and install-wheels.

DURABLE := $(TOOLS)/durable/bin/python
# Compiled apart from the workspace (see worker/Cargo.toml).
WORKER_TARGET := $(CURDIR)/target/worker
WORKER  := CARGO_TARGET_DIR="$(WORKER_TARGET)" cargo

.PHONY: build-tasks tasks remove-tasks test-worker test-tasks test-tasks-build

build-tasks: $(SAM) $(CARGO_LAMBDA) ## Builds the worker of durable tasks, into .aws-sam/tasks (ARCH=arm64|x86_64)
	@$(PYTHON) infra/tools/release.py target $(ARCH) --libc gnu >/dev/null
	$(OFFLINE) $(SAM) build --template-file infra/tasks.yaml --build-dir .aws-sam/tasks --parameter-overrides Architecture=$(ARCH)

# It is built for the architecture of the main stack, unless ARCH is given.
tasks: $(SAM) $(CARGO_LAMBDA) ## Builds and deploys the worker of durable tasks, a preview (VALUES="RetentionDays=7 …")
	@$(DEPLOY) --addon tasks $(if $(filter command environment,$(origin ARCH)),Architecture=$(ARCH))

remove-tasks: $(SAM) ## Removes the worker of durable tasks again
	@$(DEPLOY) --remove tasks

test-worker: ## Lints and tests the package that runs tasks as durable executions
	cd worker && cargo fmt --check
	cd worker && $(WORKER) clippy --locked --workspace --all-targets -- -D warnings
	cd worker && $(WORKER) test --locked --workspace

test-tasks: built $(DURABLE) $(SAM) $(MOTO) $(CONFORMANCE)/.installed ## Runs tasks on AWS's emulator of durable executions, with 200 crashes
	@cd worker && $(WORKER) build --quiet --locked --workspace --bins --examples
	@DEBUG_DIR="$(abspath $(DEBUG))" WORKER_DIR="$(WORKER_TARGET)/debug" DURABLE_PYTHON="$(CURDIR)/$(DURABLE)" MOTO_SERVER="$(CURDIR)/$(MOTO)" \
	  $(TOOLS)/sam/bin/python -m pytest -q -s -p no:cacheprovider tests/durable

# A release build takes minutes, so this is not part of `make test-all`.
test-tasks-build: ARCH := x86_64
test-tasks-build: built build-tasks $(DURABLE) ## Builds the worker for x86_64 as `make tasks` does, and delivers messages with it
	@DEBUG_DIR="$(abspath $(DEBUG))" PORTFOLIO_WORKER="$(CURDIR)/.aws-sam/tasks/Worker/bootstrap" DURABLE_PYTHON="$(CURDIR)/$(DURABLE)" \
	  $(TOOLS)/sam/bin/python -m pytest -q -p no:cacheprovider tests/durable/test_contact.py

$(DURABLE): infra/tools/requirements-durable.txt
	$(call install-wheels,durable)
