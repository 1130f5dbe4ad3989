# All tasks of the project. `make help` lists them; CI runs only these.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# Builds go to `target` of the clone. scripts/setup installs tools once per user.
cache := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/govern
export CARGO_TARGET_DIR ?= $(CURDIR)/target
export GOVERN_TOOLS := $(cache)/tools
# npm's programs come first: the wasm-opt of Debian produces a module that does not hydrate.
cargo_bin := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/node_modules/.bin:$(GOVERN_TOOLS)/bin:$(cargo_bin):$(PATH)

.PHONY: help
help: ## list the tasks
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: run
run: ## build Govern without optimization and serve it; an empty database gets demo data
	@scripts/setup run
	scripts/build dev
	GOVERN_DEMO=$${GOVERN_DEMO-1} GOVERN_WEBHOOK_ALLOW_CIDRS=$${GOVERN_WEBHOOK_ALLOW_CIDRS-127.0.0.0/8} \
		exec target/govern serve

# One build without optimization serves all tests. It has the dependencies and flags of `cargo test` without make.
.PHONY: test
test: ## run the tests: crates, documentation examples, API, a fault, browser (Chromium)
	@scripts/setup test
	$(MAKE) compile test-crates test-api test-fault test-browser

.PHONY: test-all
test-all: test ## run all tests: also the release in the browsers, the clients in sdk, and every fault (short form)
	@scripts/setup test-all
	$(MAKE) build test-browser-all test-sdk
	cargo run --release -p torture -- --short

.PHONY: setup
setup: ## install what is missing for `make test`; `make setup for=browser` only for a purpose (scripts/setup)
	@scripts/setup $(or $(for),test)

.PHONY: build
build: ## build the release: target/govern, target/govern-verify and target/site
	@scripts/setup run
	scripts/build release

.PHONY: dev
dev: ## serve a development build and rebuild it on changes
	@scripts/setup dev
	rm -rf target/site-dev
	{ scripts/build-wasm target/verifier-dev verifier dev; \
	  until [ -e target/site-dev/pkg/govern.wasm ]; do sleep 1; done; \
	  cp target/verifier-dev/* target/site-dev/pkg/; } & \
	GOVERN_DEMO=$${GOVERN_DEMO-1} LEPTOS_SITE_ROOT=target/site-dev cargo leptos watch -- serve

.PHONY: fuzz
fuzz: ## run the mutation tests of bundles, archives, notes and texts, 10,000 cases each
	PROPTEST_CASES=$${PROPTEST_CASES-10000} PROPTEST_MAX_GLOBAL_REJECTS=100000 cargo test --release -p verify --test it mutations::

.PHONY: check
check: ## run static checks: format, lints, documentation, links, licenses, types
	@scripts/setup check
	cargo fmt --all --check
	cargo fmt --manifest-path bench/Cargo.toml --check
	cargo fmt --manifest-path site-builder/Cargo.toml --check
	leptosfmt --quiet --check app
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p frontend -p verify-wasm --target wasm32-unknown-unknown -- -D warnings
	cargo clippy --manifest-path bench/Cargo.toml --all-targets -- -D warnings
	cargo clippy --manifest-path site-builder/Cargo.toml -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps
	scripts/deny
	scripts/check-docs
	cd end2end && node_modules/.bin/tsc --noEmit
	! command -v promtool >/dev/null || promtool test rules deploy/prometheus/alerts-test.yaml
	! command -v shellcheck >/dev/null || shellcheck -x -P SCRIPTDIR .ci/run $$(grep -slE '^#!.*(bash|/bin/sh)' scripts/* deploy/* packaging/debian/* packaging/image/* server/tests/it/replica/servers)

.PHONY: e2e
e2e: build ## build the release and run the browser tests, also in Firefox
	@scripts/setup browser firefox
	$(MAKE) test-browser-all

.PHONY: docs-screens
docs-screens: build ## make the screenshots of docs/guide again
	@scripts/setup docs
	export TMPDIR=$$(scripts/scratch-dir) && cd end2end && \
		GOVERN_DOCS_SCREENS=1 node_modules/.bin/playwright test --project docs-screens --workers 1
	pngquant --force --ext .png --speed 3 64 docs/images/screens/*.png

.PHONY: bench
bench: build ## run the benchmarks and update docs/PERFORMANCE.md; `make bench -- --only NAME` runs one
	@scripts/setup bench
	cargo run --release --manifest-path bench/Cargo.toml -- $(or $(bench_args),--write docs/PERFORMANCE.md)

# Make reads the words after `--` as targets. After `bench`, they are the arguments of the benchmarks.
ifeq ($(firstword $(MAKECMDGOALS)),bench)
bench_args := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
ifneq ($(bench_args),)
.PHONY: $(bench_args)
$(bench_args):
	@:
endif
endif

.PHONY: timings
timings: ## compile the programs of make run from nothing; print the slowest crates and the code that ours generate
	@scripts/setup run
	scripts/timings

.PHONY: test-deploy
test-deploy: build ## test a deployment: restore it, kill and upgrade servers, promote the replica, audit (minutes)
	@scripts/setup deploy
	deploy/test-restore
	deploy/test cargo run --release -p torture --

.PHONY: torture
torture: build ## break the running release in every way and audit what it stored (about 40 minutes)
	@scripts/setup torture
	cargo run --release -p torture

.PHONY: test-sdk
# The tests start target/govern, which `make build` writes.
test-sdk: ## test the clients in sdk against the built release, also as installed packages
	@scripts/setup sdk
	export TMPDIR=$$(scripts/scratch-dir) && cd sdk/typescript && npm test --silent
	export TMPDIR=$$(scripts/scratch-dir) && cd sdk/python && "$$GOVERN_TOOLS/sdk/bin/python" -m pytest --quiet

.PHONY: package
package: build ## write the Debian package, the image, the chart, the verifier and the SBOMs into target/package
	@scripts/setup package
	scripts/package

.PHONY: test-package
test-package: package ## install the packages in a clean Debian and use them; build the verifier again (minutes, as root)
	scripts/test-package

.PHONY: release
release: ## write a release of the version in Cargo.toml into target/release-VERSION
	scripts/release --check
	$(MAKE) build
	@scripts/setup package
	scripts/release

# --- Steps of `make test` -------------------------------------------------------------------------------

.PHONY: compile test-crates test-api test-fault test-browser test-browser-all
# Builds the programs and all tests in one call, since separate calls select other features of the dependencies. The
# modules of the browser are those of the release: tests check the size of their download.
compile:
	scripts/build test --workspace --bin torture --tests

# Most tests wait for the database or for a password hash, so more of them run than there are processors.
test-crates:
	RUST_TEST_THREADS=$$(($$(nproc) + 1)) scripts/with-postgres cargo test --workspace --no-fail-fast

# Runs what reads /openapi.json: generators of clients, and schemathesis, a fuzzer.
test-api:
	"$$GOVERN_TOOLS/generators/bin/python" end2end/generators/check.py
	scripts/api

# One scenario of `make torture`; test-crates tests its auditor.
test-fault:
	"$$CARGO_TARGET_DIR/debug/torture" --short --only kill

test-browser:
	export TMPDIR=$$(scripts/scratch-dir) && cd end2end && \
		node_modules/.bin/playwright test --project scripts --project no-scripts

# What takes long, or needs the release.
test-browser-all: test-browser
	export TMPDIR=$$(scripts/scratch-dir) && cd end2end && \
		node_modules/.bin/playwright test --project firefox --project lighthouse
