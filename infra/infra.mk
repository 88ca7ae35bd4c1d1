# Deployment and the checks of what is deployed. Included by the Makefile, which sets TOOLS, PYTHON
# and the rule for $(CARGO_LAMBDA).

# The environment of samconfig.toml that is deployed: `default` or one of your own.
ENV  ?= default
# The processor that `make build` builds for; `Architecture` of the deployment must be the same.
ARCH ?= arm64
# How much `make load` sends.
REQUESTS    ?= 2000
CONCURRENCY ?= 20

SAM     := $(TOOLS)/sam/bin/sam
CHECKOV := $(TOOLS)/checkov/bin/checkov
# No telemetry, no look for newer versions; the tools of this project before those of the machine.
SAM_ENV := SAM_CLI_TELEMETRY=0 CARGO_ZIGBUILD_PYTHON_PATH="$(CURDIR)/$(TOOLS)/sam/bin/python3" \
  PATH="$(CURDIR)/$(TOOLS)/cargo-lambda/bin:$(CURDIR)/$(TOOLS)/sam/bin:$$PATH"
# Checks need a Region's name and nothing of it.
OFFLINE := $(SAM_ENV) AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true

.PHONY: build deploy destroy smoke load test-template test-build test-gateway

build: $(SAM) $(CARGO_LAMBDA) ## Builds what is deployed, into .aws-sam (ARCH=arm64|x86_64)
	$(OFFLINE) $(SAM) build --parameter-overrides Architecture=$(ARCH)

deploy: build ## Puts the stack on AWS; asks for what it needs the first time (ENV=, ARCH=)
	@if [ -f samconfig.toml ]; then \
	  $(SAM_ENV) $(SAM) deploy --config-env $(ENV) ; \
	else \
	  echo "No samconfig.toml yet: answer once, or copy infra/samconfig.example.toml."; \
	  $(SAM_ENV) $(SAM) deploy --guided --capabilities CAPABILITY_IAM --config-env $(ENV) \
	    --parameter-overrides Architecture=$(ARCH) ; \
	fi

destroy: $(SAM) ## Deletes the stack from AWS (ENV=)
	$(SAM_ENV) $(SAM) delete --config-env $(ENV)

smoke: ## Asks a deployed endpoint what a client asks (URL=https://…/mcp)
	@$(PYTHON) infra/tools/smoke.py "$(URL)"

load: ## Sends many tool calls to an endpoint with hey (URL=, REQUESTS=, CONCURRENCY=)
	@REQUESTS=$(REQUESTS) CONCURRENCY=$(CONCURRENCY) infra/tools/load.sh "$(URL)"

test-template: built $(SAM) $(CHECKOV) ## Checks template.yaml without AWS, and runs its API in front of the function
	$(OFFLINE) $(TOOLS)/sam/bin/cfn-lint template.yaml infra/edge.yaml
	$(OFFLINE) $(SAM) validate --lint
	$(CHECKOV) --file template.yaml infra/edge.yaml --framework cloudformation \
	  --skip-download --quiet --compact
	$(OFFLINE) $(TOOLS)/sam/bin/python -m pytest -q tests/gateway

test-build: ARCH := x86_64
test-build: build ## Builds for x86_64 as `sam build` does, and starts what came out (a release build)
	$(OFFLINE) PORTFOLIO_BIN=.aws-sam/build/McpFunction/bootstrap \
	  $(TOOLS)/sam/bin/python -m pytest -q tests/gateway/test_emulated.py

test-gateway: ## Runs the API in LocalStack, without Docker (needs Python 3.13: PYTHON313=)
	@PYTHON313="$(PYTHON313)" TOOLS="$(TOOLS)" infra/tools/localstack.sh

$(SAM): infra/tools/requirements-sam.txt
	@$(PYTHON) -m venv $(TOOLS)/sam
	@$(TOOLS)/sam/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(CHECKOV): infra/tools/requirements-checkov.txt
	@$(PYTHON) -m venv $(TOOLS)/checkov
	@$(TOOLS)/checkov/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
