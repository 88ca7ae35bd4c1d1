# Deployment, and the checks of the template. Included by the Makefile, which defines TOOLS, PYTHON,
# `built`, install-wheels and the rule for $(CARGO_LAMBDA).

# --- Deploy --------------------------------------------------------------------------------------

# The section of samconfig.toml to deploy.
ENV  ?= default
# The target architecture of `make build`. Must match the parameter Architecture.
ARCH ?= arm64
# The C library that becomes part of the function: musl. With gnu, the function uses that of Amazon Linux.
LIBC ?= musl
# The architectures of `make release`.
ARCHS ?= x86_64 arm64
# The number of requests that `make load` sends, and how many run at the same time.
REQUESTS    ?= 2000
CONCURRENCY ?= 20

SAM     := $(TOOLS)/sam/bin/sam
CHECKOV := $(TOOLS)/checkov/bin/checkov
ZIZMOR  := $(TOOLS)/zizmor/bin/zizmor
# No telemetry and no update check. The project's tools come first in PATH.
SAM_ENV := SAM_CLI_TELEMETRY=0 CARGO_ZIGBUILD_PYTHON_PATH="$(CURDIR)/$(TOOLS)/sam/bin/python3" \
  PATH="$(CURDIR)/$(TOOLS)/cargo-lambda/bin:$(CURDIR)/$(TOOLS)/sam/bin:$$PATH"
# The checks need the name of a Region, but do not call AWS.
OFFLINE := $(SAM_ENV) AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true

# The template of `make deploy`: infra/function-url.yaml is the variant without API Gateway.
TEMPLATE ?= template.yaml
# The templates of stacks: infra/api.yaml is a part of template.yaml.
STACKS   := template.yaml $(filter-out infra/api.yaml,$(wildcard infra/*.yaml infra/*/*.yaml))
DEPLOY := $(SAM_ENV) $(TOOLS)/sam/bin/python infra/tools/deploy.py --env $(ENV) --sam $(SAM)

.PHONY: build deploy deploy-content destroy domain waf cloudfront dashboard release use-release
.PHONY: remove-domain remove-waf remove-cloudfront remove-dashboard
.PHONY: smoke load test-template test-starter test-policy test-build test-gateway test-account

build: $(SAM) $(CARGO_LAMBDA) ## Builds what is deployed, into .aws-sam (ARCH=arm64|x86_64)
	@libc=$$($(PYTHON) infra/tools/release.py target $(ARCH) --libc $(LIBC)) || exit 1; \
	$(OFFLINE) LIBC=$$libc $(SAM) build --template-file $(TEMPLATE) --parameter-overrides Architecture=$(ARCH)

deploy: $(SAM) $(CARGO_LAMBDA) ## Deploys to AWS; the first time it asks for a name, a Region and an e-mail (ENV=)
	@$(DEPLOY) --template $(TEMPLATE) $(if $(PREBUILT),--prebuilt)

deploy-content: $(SAM) check-content ## Deploys changed files in content/ without a build (ENV=)
	@$(DEPLOY) --content

# An optional stack beside the main one, such as `make domain VALUES="DomainName=… CertificateArn=…"`. The variable
# stays in the environment, where the tool reads it: a shell would take the `<` of an address for a redirection.
export VALUES
domain waf cloudfront dashboard: $(SAM) ## Adds an optional stack to the main one (VALUES="Name=value Other='two words'")
	@$(DEPLOY) --addon $@

remove-domain remove-waf remove-cloudfront remove-dashboard: $(SAM) ## Removes an optional stack again
	@$(DEPLOY) --remove $(@:remove-%=%)

release: $(CARGO_LAMBDA) $(SAM) ## Writes release files for both architectures into dist/ (ARCHS=x86_64)
	@for arch in $(ARCHS); do \
	  libc=$$($(PYTHON) infra/tools/release.py target $$arch --libc $(LIBC)) || exit 1; \
	  $(SAM_ENV) LIBC=$$libc $(MAKE) --no-print-directory -C infra/build/$$arch -f ../function/Makefile build-McpFunction \
	    ARTIFACTS_DIR="$(CURDIR)/target/release-files/$$arch" || exit 1; \
	  $(PYTHON) infra/tools/release.py pack target/release-files/$$arch/bootstrap $$arch || exit 1; \
	done

use-release: ## Prepares a release file for `make deploy PREBUILT=1`, without Rust (RELEASE=FILE)
	@$(PYTHON) infra/tools/release.py use "$(RELEASE)" --template $(TEMPLATE)

destroy: $(SAM) ## Deletes the main stack from AWS (ENV=)
	$(SAM_ENV) $(SAM) delete --config-env $(ENV)

smoke: ## Sends a client's requests to a deployed endpoint (URL=https://…/mcp)
	@$(PYTHON) infra/tools/smoke.py "$(URL)"

load: ## Sends many tool calls to an endpoint with hey (URL=, REQUESTS=, CONCURRENCY=)
	@REQUESTS=$(REQUESTS) CONCURRENCY=$(CONCURRENCY) infra/tools/load.sh "$(URL)"

# The tests of `make test-deploy`.
DEPLOYING := tests/gateway/test_deploy.py tests/gateway/test_addons.py

test-template: built $(SAM) ## Checks template.yaml offline and runs its API in front of the function
	$(OFFLINE) $(TOOLS)/sam/bin/cfn-lint $(STACKS)
	$(OFFLINE) $(SAM) validate --lint
	$(OFFLINE) $(TOOLS)/sam/bin/python -m pytest -q tests/gateway $(DEPLOYING:%=--ignore %)

test-starter: $(SAM) $(CARGO_LAMBDA) ## Makes a package from templates/starter, builds it, tests it and calls it
	$(OFFLINE) $(TOOLS)/sam/bin/python -m pytest -q tests/starter

test-policy: $(CHECKOV) $(ZIZMOR) ## Checks the templates and the GitHub workflow against security policies
	$(ZIZMOR) --offline --quiet infra/github/deploy.yml
	$(CHECKOV) --file $(STACKS) --framework cloudformation \
	  --skip-download --quiet --compact

test-build: ARCH := x86_64
test-build: build ## Builds for x86_64 with SAM and runs the built function (a release build)
	$(OFFLINE) PORTFOLIO_BIN=.aws-sam/build/McpFunction/bootstrap \
	  $(TOOLS)/sam/bin/python -m pytest -q tests/gateway/test_emulated.py

test-gateway: built ## Runs the API in LocalStack without Docker; skipped without Python 3.13 (PYTHON313=)
	@PYTHON313="$(PYTHON313)" TOOLS="$(TOOLS)" PORTFOLIO_BIN="$(DEBUG)/portfolio" infra/tools/localstack.sh tests/localstack

test-account: built $(SAM) $(MOTO) ## Deploys to an emulated account, changes it, runs the runbook; skipped without Python 3.13
	@PYTHON313="$(PYTHON313)" TOOLS="$(TOOLS)" PORTFOLIO_BIN="$(DEBUG)/portfolio" infra/tools/localstack.sh tests/account

$(SAM): infra/tools/requirements-sam.txt
	$(call install-wheels,sam)

$(CHECKOV): infra/tools/requirements-checkov.txt
	$(call install-wheels,checkov)

$(ZIZMOR): infra/tools/zizmor.txt
	$(call install-wheels,zizmor)

IMPORT := $(TOOLS)/openapi/bin/python

.PHONY: test-import test-deploy
test-import: $(IMPORT) ## Reads the API definition with the parser of API Gateway's import; skipped without Java
	@if java -version >/dev/null 2>&1; then \
	  $(OFFLINE) $(IMPORT) -m pytest -q tests/import; \
	else \
	  echo "*** SKIPPED: test-import needs Java 11 or newer (Debian: apt install openjdk-17-jre-headless)" >&2; \
	fi

$(IMPORT): infra/tools/requirements-openapi.txt infra/tools/requirements-sam.txt
	$(call install-wheels,openapi)

test-deploy: built $(SAM) ## Checks `make deploy` and the release files against an AWS on loopback
	$(OFFLINE) $(TOOLS)/sam/bin/python -m pytest -q $(DEPLOYING)
