# Three commands do everything: `make record`, `make demo` (the same with simulated devices) and `make test`.
# Both install what is missing, build, and run; as root or as a user with sudo.

SWIFT_BUILD_RELEASE = swift build -c release --product castledger
CASTLEDGER = .build/release/castledger

PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: install help deps test-deps build record demo test check bench crash soak fuzz fights lint deb deb-test

help:
	@echo "make record   Install packages, build, and record the Cast devices of this network."
	@echo "make demo     The same with simulated devices: no device needed."
	@echo "make test     Install packages, build, and run every test."
	@echo "make check    What to run before a merge: lint, tests, and tests under the thread sanitizer."
	@echo "make bench    Measure the budgets, as ratios against plain tools."
	@echo "make soak     Record a fleet with churn for 20 minutes, and look whether memory, files or threads grow."
	@echo "make crash    Kill recorder and PostgreSQL 300 times at random, then look for what is missing."
	@echo "make fuzz     Feed changed bytes to every reader for ten minutes each (SECONDS=60 for less)."
	@echo "make fights   Judge the detector of conflicts by 100 labelled evenings, and print what it got wrong (SEEDS=10 for fewer)."
	@echo "make install  Build, and put castledger into $(PREFIX)/bin."
	@echo "make deb      Build a Debian package into .build/deb."
	@echo "make deb-test Install that package in a clean Debian, run, upgrade and remove it there (as root, minutes)."
	@echo "make deps     Only install the packages.   make build   Only build."

deps:
	@deploy/install-packages run

test-deps:
	@deploy/install-packages run test
	@deploy/install-test-peers

build: deps
	$(SWIFT_BUILD_RELEASE)

record: build
	$(CASTLEDGER) record

demo: build
	$(CASTLEDGER) demo

install: build
	@to=$(DESTDIR)$(PREFIX); as_root=; mkdir -p $$to/bin 2>/dev/null && [ -w $$to/bin ] || as_root=sudo; set -x; \
	$$as_root install -D -m 755 $(CASTLEDGER) $$to/bin/castledger; \
	$$as_root install -D -m 644 README.md $$to/share/doc/castledger/README.md

# Linked with Swift's runtime, so that the machine that runs it needs no Swift.
deb: deps
	swift build -c release --product castledger --static-swift-stdlib --scratch-path .build/static
	@mkdir -p .build/deb
	deploy/deb/build .build/static/release/castledger .build/deb

deb-test: deb
	deploy/deb/test $$(ls -t .build/deb/castledger_*.deb | head -1)

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift

test: test-deps
	swift build --build-tests
	swift test --skip-build

check: test lint
	swift test --sanitize=thread --scratch-path .build-tsan --skip EndToEnd --skip Crash --skip Repository

bench: build
	deploy/bench/run

soak: build
	deploy/soak/run --minutes $(or $(MINUTES),20) --seed $(or $(SEED),1)

crash: build
	deploy/crash/run --rounds 300 --seed $(or $(SEED),1)

fuzz: test-deps
	swift build --build-tests
	CASTLEDGER_FUZZ_SECONDS=$(or $(SECONDS),600) CASTLEDGER_FUZZ_SEED=$(or $(SEED),1) swift test --skip-build --filter Fuzz

fights: test-deps
	swift build --build-tests
	CASTLEDGER_FIGHT_SEEDS=$(or $(SEEDS),100) swift test --skip-build --filter ConflictQuality
