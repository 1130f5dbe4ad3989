# All tasks of the project. `make help` lists them; CI runs only these.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# All clones share one target directory, so that dependencies are compiled once per machine.
# scripts/with-target-lock lets one clone at a time use it. scripts/setup installs tools next to it.
cache := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/govern
export CARGO_TARGET_DIR ?= $(cache)/target
export GOVERN_TOOLS := $(cache)/tools
# npm's programs come first: the wasm-opt of Debian produces a module that does not hydrate.
cargo_bin := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/node_modules/.bin:$(GOVERN_TOOLS)/bin:$(cargo_bin):$(PATH)
# The Leptos crates read these at compile time. Every cargo call needs the same values, or cargo rebuilds them.
export LEPTOS_OUTPUT_NAME := govern
export LEPTOS_BIN_EXE_NAME := govern

locked := scripts/with-target-lock

.PHONY: help
help: ## list the tasks
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: run
run: deps ## build Govern without optimization and serve it; an empty database gets demo data
	GOVERN_PROFILE=quick $(locked) scripts/build
	GOVERN_DEMO=$${GOVERN_DEMO-1} GOVERN_WEBHOOK_ALLOW_CIDRS=$${GOVERN_WEBHOOK_ALLOW_CIDRS-127.0.0.0/8} \
		exec target/govern serve

.PHONY: test
test: setup compile test-crates test-docs test-api test-torture test-browser ## run all tests: crates, documentation examples, API, faults, browser

.PHONY: setup
setup: ## install what is missing to build, run and test
	@scripts/setup test

.PHONY: build
build: deps ## build the release: target/govern, target/govern-verify and target/site
	$(locked) scripts/build

.PHONY: dev
# `dev` runs until interrupted, so it uses a target directory of its own instead of the shared one.
dev: ## serve a development build and rebuild it on changes
	@scripts/setup dev
	rm -rf target/site-dev
	{ CARGO_TARGET_DIR=target scripts/build-wasm target/verifier-dev verifier dev; \
	  until [ -e target/site-dev/pkg/govern.wasm ]; do sleep 1; done; \
	  cp target/verifier-dev/* target/site-dev/pkg/; } & \
	GOVERN_DEMO=$${GOVERN_DEMO-1} CARGO_TARGET_DIR=target LEPTOS_SITE_ROOT=target/site-dev \
	  cargo leptos watch -- serve

.PHONY: fuzz
fuzz: ## run the mutation tests of bundles, archives, notes and texts, 10,000 cases each
	PROPTEST_CASES=$${PROPTEST_CASES-10000} PROPTEST_MAX_GLOBAL_REJECTS=100000 $(locked) cargo test --release -p verify --test it mutations::

.PHONY: check
check: ## run static checks: format, lints, documentation, links, licenses, types
	@scripts/setup check
	cargo fmt --all --check
	cargo fmt --manifest-path bench/Cargo.toml --check
	cargo fmt --manifest-path torture/Cargo.toml --check
	cargo fmt --manifest-path site-builder/Cargo.toml --check
	leptosfmt --quiet --check app
	$(locked) cargo clippy --workspace --all-targets -- -D warnings
	$(locked) cargo clippy -p frontend -p verify-wasm --target wasm32-unknown-unknown -- -D warnings
	$(locked) cargo clippy --manifest-path bench/Cargo.toml --all-targets -- -D warnings
	$(locked) cargo clippy --manifest-path torture/Cargo.toml --all-targets -- -D warnings
	$(locked) cargo clippy --manifest-path site-builder/Cargo.toml -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(locked) cargo doc --workspace --no-deps
	scripts/deny
	scripts/check-docs
	cd end2end && node_modules/.bin/tsc --noEmit
	! command -v promtool >/dev/null || promtool test rules deploy/prometheus/alerts-test.yaml
	! command -v shellcheck >/dev/null || shellcheck -x -P SCRIPTDIR .ci/run $$(grep -lE '^#!.*(bash|/bin/sh)' scripts/* deploy/* packaging/debian/* packaging/image/* server/tests/it/replica/servers)

.PHONY: e2e
e2e: setup build test-browser ## build the release and run the browser tests

.PHONY: docs-screens
docs-screens: build ## make the screenshots of docs/guide again
	@scripts/setup docs
	export TMPDIR=$$(scripts/scratch-dir) && cd end2end && \
		GOVERN_DOCS_SCREENS=1 node_modules/.bin/playwright test --project docs-screens --workers 1
	pngquant --force --ext .png --speed 3 64 docs/images/screens/*.png

.PHONY: bench
bench: build ## run the benchmarks and update docs/PERFORMANCE.md; `make bench -- --only NAME` runs one
	@scripts/setup bench
	$(locked) cargo run --release --manifest-path bench/Cargo.toml -- $(or $(bench_args),--write docs/PERFORMANCE.md)

# Make reads the words after `--` as targets. After `bench`, they are the arguments of the benchmarks.
ifeq ($(firstword $(MAKECMDGOALS)),bench)
bench_args := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
ifneq ($(bench_args),)
.PHONY: $(bench_args)
$(bench_args):
	@:
endif
endif

.PHONY: test-deploy
test-deploy: setup build ## test a deployment: restore it, kill and upgrade servers, promote the replica, audit (minutes)
	@scripts/setup deploy
	deploy/test-restore
	deploy/test $(locked) cargo run --release --manifest-path torture/Cargo.toml --

.PHONY: torture
torture: setup build ## break the running release in every way and audit what it stored (about 40 minutes)
	$(locked) cargo run --release --manifest-path torture/Cargo.toml

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

# --- Steps of the tasks above ---------------------------------------------------------------------------

.PHONY: deps compile test-crates test-docs test-api test-torture test-browser
deps:
	@scripts/setup

# Builds the release and all crate tests in one call. The tests enable more features of their dependencies;
# separate builds would compile most dependencies twice.
compile:
	$(locked) scripts/build --workspace --tests

# Most tests wait for the database or for a password hash, so more of them run than there are processors.
test-crates:
	RUST_TEST_THREADS=$$(($$(nproc) + 1)) \
		$(locked) scripts/with-postgres cargo test --workspace --tests --release --no-fail-fast

test-docs:
	$(locked) cargo test --doc --workspace --release

# Runs what reads /openapi.json: generators of clients, and schemathesis, a fuzzer.
test-api:
	"$$GOVERN_TOOLS/generators/bin/python" end2end/generators/check.py
	scripts/api

# Tests the auditor, then runs the short form of `make torture`.
test-torture:
	$(locked) cargo test --release --manifest-path torture/Cargo.toml
	$(locked) cargo run --release --manifest-path torture/Cargo.toml -- --short

test-browser:
	export TMPDIR=$$(scripts/scratch-dir) && cd end2end && node_modules/.bin/playwright test
