# Deployment, and the checks of the template. Included by the Makefile, which defines TOOLS, PYTHON,
# `built`, install-wheels and the rule for $(CARGO_LAMBDA).

# --- Deploy --------------------------------------------------------------------------------------

# The section of samconfig.toml to deploy.
ENV  ?= default
# The target architecture of `make build`. Must match the parameter Architecture.
ARCH ?= arm64
# The number of requests that `make load` sends, and how many run at the same time.
REQUESTS    ?= 2000
CONCURRENCY ?= 20

SAM     := $(TOOLS)/sam/bin/sam
CHECKOV := $(TOOLS)/checkov/bin/checkov
# No telemetry and no update check. The project's tools come first in PATH.
SAM_ENV := SAM_CLI_TELEMETRY=0 CARGO_ZIGBUILD_PYTHON_PATH="$(CURDIR)/$(TOOLS)/sam/bin/python3" \
  PATH="$(CURDIR)/$(TOOLS)/cargo-lambda/bin:$(CURDIR)/$(TOOLS)/sam/bin:$$PATH"
# The checks need the name of a Region, but do not call AWS.
OFFLINE := $(SAM_ENV) AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true

.PHONY: build deploy destroy smoke load test-template test-policy test-build test-gateway

build: $(SAM) $(CARGO_LAMBDA) ## Builds the function for Lambda into .aws-sam (ARCH=arm64|x86_64)
	$(OFFLINE) $(SAM) build --parameter-overrides Architecture=$(ARCH)

deploy: build ## Deploys the stack; asks for its parameters the first time (ENV=, ARCH=)
	@if [ -f samconfig.toml ]; then \
	  $(SAM_ENV) $(SAM) deploy --config-env $(ENV) ; \
	else \
	  echo "There is no samconfig.toml. Answer the questions, or copy infra/samconfig.example.toml."; \
	  $(SAM_ENV) $(SAM) deploy --guided --capabilities CAPABILITY_IAM --config-env $(ENV) \
	    --parameter-overrides Architecture=$(ARCH) ; \
	fi

destroy: $(SAM) ## Deletes the stack from AWS (ENV=)
	$(SAM_ENV) $(SAM) delete --config-env $(ENV)

smoke: ## Sends a client's requests to a deployed endpoint (URL=https://…/mcp)
	@$(PYTHON) infra/tools/smoke.py "$(URL)"

load: ## Sends many tool calls to an endpoint with hey (URL=, REQUESTS=, CONCURRENCY=)
	@REQUESTS=$(REQUESTS) CONCURRENCY=$(CONCURRENCY) infra/tools/load.sh "$(URL)"

test-template: built $(SAM) ## Checks template.yaml offline and runs its API in front of the function
	$(OFFLINE) $(TOOLS)/sam/bin/cfn-lint template.yaml infra/edge.yaml
	$(OFFLINE) $(SAM) validate --lint
	$(OFFLINE) $(TOOLS)/sam/bin/python -m pytest -q tests/gateway

test-policy: $(CHECKOV) ## Checks template.yaml against checkov's security policies
	$(CHECKOV) --file template.yaml infra/edge.yaml --framework cloudformation \
	  --skip-download --quiet --compact

test-build: ARCH := x86_64
test-build: build ## Builds for x86_64 with SAM and runs the built function (a release build)
	$(OFFLINE) PORTFOLIO_BIN=.aws-sam/build/McpFunction/bootstrap \
	  $(TOOLS)/sam/bin/python -m pytest -q tests/gateway/test_emulated.py

test-gateway: built ## Runs the API in LocalStack without Docker; skipped without Python 3.13 (PYTHON313=)
	@PYTHON313="$(PYTHON313)" TOOLS="$(TOOLS)" PORTFOLIO_BIN="$(DEBUG)/portfolio" infra/tools/localstack.sh

$(SAM): infra/tools/requirements-sam.txt
	$(call install-wheels,sam)

$(CHECKOV): infra/tools/requirements-checkov.txt
	$(call install-wheels,checkov)
