# The project's verbs: `make help` lists them, and CI runs nothing that is not here.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# One target directory for all clones: the dependencies are compiled once a machine (scripts/in-target
# keeps the clones apart). Tools that set-up builds stand beside it.
cache := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/govern
export CARGO_TARGET_DIR ?= $(cache)/target
export GOVERN_TOOLS := $(cache)/tools
# npm's first: Debian's own wasm-opt makes a module that never wakes.
cargo_bin := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/node_modules/.bin:$(GOVERN_TOOLS)/bin:$(cargo_bin):$(PATH)
# Leptos' crates read it while they compile. Said to each cargo, or each would rebuild them.
export LEPTOS_OUTPUT_NAME := govern
export LEPTOS_BIN_EXE_NAME := govern
export NEXTEST_PROFILE ?= $(if $(CI),ci,default)

alone := scripts/in-target

.PHONY: help
help: ## list the verbs
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: run
run: build ## build the release and serve it, with a demo in an empty database
	GOVERN_DEMO=$${GOVERN_DEMO-1} GOVERN_WEBHOOK_ALLOW_CIDRS=$${GOVERN_WEBHOOK_ALLOW_CIDRS-127.0.0.0/8} \
		exec target/govern serve

.PHONY: test
test: setup whole crates docs api browser ## pass all tests: crates, their examples, the API, browser

.PHONY: setup
setup: ## install what is missing to build, run and test
	@scripts/setup test

.PHONY: build
build: ready ## build the release: target/govern, target/govern-verify and target/site
	$(alone) scripts/build

.PHONY: dev
# It never ends, so it must not hold the directory that clones share.
dev: ready ## serve a development build that follows the sources
	rm -rf target/site-dev
	{ CARGO_TARGET_DIR=target scripts/verifier target/verifier-dev dev; \
	  until [ -e target/site-dev/pkg/govern.wasm ]; do sleep 1; done; \
	  cp target/verifier-dev/* target/site-dev/pkg/; } & \
	GOVERN_DEMO=$${GOVERN_DEMO-1} CARGO_TARGET_DIR=target LEPTOS_SITE_ROOT=target/site-dev \
	  cargo leptos watch --split -- serve

.PHONY: fuzz
fuzz: ## change bundles, archives, notes and texts at random, ten thousand times each
	PROPTEST_CASES=$${PROPTEST_CASES-10000} PROPTEST_MAX_GLOBAL_REJECTS=100000 $(alone) cargo test --release -p verify --test it mutations::

.PHONY: check
check: ## look for faults without running: format, lints, documentation, licences, types
	@scripts/setup check
	cargo fmt --all --check
	cargo fmt --manifest-path bench/Cargo.toml --check
	$(alone) cargo clippy --workspace --all-targets -- -D warnings
	$(alone) cargo clippy -p frontend -p verifier --target wasm32-unknown-unknown -- -D warnings
	$(alone) cargo clippy --manifest-path bench/Cargo.toml --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(alone) cargo doc --workspace --no-deps
	scripts/deny
	cd end2end && node_modules/.bin/tsc --noEmit
	! command -v shellcheck >/dev/null || shellcheck .ci/run $$(grep -lE '^#!.*bash' scripts/*)

.PHONY: e2e
e2e: setup build browser ## build the release and test it in a browser

.PHONY: bench
bench: build ## measure the release beside what it is compared with
	$(alone) cargo run --release --manifest-path bench/Cargo.toml -- --write docs/PERFORMANCE.md

# --- Parts of the above ---------------------------------------------------------------------------

.PHONY: ready whole crates docs api browser
ready:
	@scripts/setup

# The release together with the tests of all crates. Tests ask their dependencies for more features, so
# that, built apart, most of both would be compiled twice.
whole:
	$(alone) scripts/build --workspace --tests

crates:
	$(alone) scripts/with-postgres cargo nextest run --workspace --release

docs:
	$(alone) cargo test --doc --workspace --release

# A public fuzzer that reads /openapi.json.
api:
	scripts/api

browser:
	cd end2end && node_modules/.bin/playwright test
