# The front door. `make help` lists the targets; the presets behind them are in CMakePresets.json.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# Tests wait now and then, for processes and browsers.
TESTS_AT_ONCE ?= $(shell expr $(JOBS) + 1)
FUZZ_SECONDS ?= 300
KILLS ?= 20
ROOT := $(CURDIR)
.DEFAULT_GOAL := build
.PHONY: help setup build studio python demo verify figures-impact test test-studio test-sanitize test-python-sanitize test-thread test-kill test-faults test-peers test-device-compile cuda test-cuda bench-cuda fuzz bench tidy format format-check site install dist tarball deb test-deb clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' Makefile | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'

setup: ## install what building needs (Debian, Ubuntu; apt-get, with sudo when not root)
	@tools/setup build

build: setup ## build the program: build/areia
	@cmake --preset release -DAREIA_TESTS=$(if $(wildcard /usr/include/gtest/gtest.h),ON,OFF) >build.log 2>&1 || { cat build.log; exit 1; }
	@mkdir -p build && mv build.log build/configure.log
	@cmake --build --preset release --parallel $(JOBS) --target areia_cli
	@echo "built build/areia"

studio: ## build with the page of `areia studio`; installs Node.js and npm where they are missing
	@command -v npm >/dev/null || tools/setup web
	@$(MAKE) --no-print-directory build

python: ## build the Python module: PYTHONPATH=build/python
	@tools/setup build python
	@cmake --preset release -DAREIA_PYTHON=ON -DAREIA_TESTS=$(if $(wildcard /usr/include/gtest/gtest.h),ON,OFF) >build.log 2>&1 || { cat build.log; exit 1; }
	@mkdir -p build && mv build.log build/configure.log
	@cmake --build --preset release --parallel $(JOBS) --target areia_python
	@echo "built build/python/areia; try: PYTHONPATH=build/python /usr/bin/python3"

demo: ## build with the page of `areia studio`, run the collapse of a heap, draw its picture
	@command -v npm >/dev/null || tools/setup web || echo "no Node.js and npm to be had: the demo goes on without the studio"
	@$(MAKE) --no-print-directory build
	build/areia run examples/04_heap_collapse/case.toml --out build/demo --overwrite
	build/areia render build/demo --out build/demo/heap.png
	@echo
	@echo "results   $(ROOT)/build/demo (ParaView opens all.pvd)"
	@echo "picture   $(ROOT)/build/demo/heap.png"
	@if grep -q 'AREIA_HAS_STUDIO:INTERNAL=TRUE' build/CMakeCache.txt; then echo "studio    build/areia studio build/demo --open"; \
	else echo "studio    $$(sed -n 's/^-- areia studio is //p' build/configure.log)"; fi

verify: build ## run the quick worked examples of the sources and compare their values
	@build/areia verify

figures-impact: build ## make the figures of the impact lab again (docs/figures/impact)
	@docs/figures/impact/make.sh build/areia

test: ## build everything and run all tests
	@tools/setup build python python-test test mpi lint
	@! command -v npm >/dev/null || tools/setup browser || echo "the page of the studio is not tested: no browser"
	@cmake --preset release -DAREIA_TESTS=ON >build.log 2>&1 || { cat build.log; exit 1; }
	@mkdir -p build && mv build.log build/configure.log
	@cmake --build --preset release --parallel $(JOBS)
	@ctest --preset release --parallel $(TESTS_AT_ONCE)

test-studio: studio ## the tests of `areia studio`, with Node.js and Chromium installed for them
	@tools/setup build test browser
	@cmake --preset release -DAREIA_TESTS=ON >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release --parallel $(JOBS) --target areia_cli
	@ctest --preset release -R '^(cli\.)?studio'

test-sanitize: ## all tests under the address and undefined-behaviour sanitizers
	@tools/setup build test lint
	@cmake --preset sanitize
	@cmake --build --preset sanitize --parallel $(JOBS)
	@ctest --preset sanitize --parallel $(JOBS)

test-thread: ## runs under the thread sanitizer
	@tools/setup build test lint
	@tests/thread/run

test-python-sanitize: ## the Python module under these sanitizers, with 10 000 random sequences of calls
	@tools/setup build python python-test test lint
	@tests/python/sanitize

test-kill: build ## kill -9 runs at random moments, KILLS=20 times
	@tools/setup test
	@/usr/bin/python3 -B tests/cli/kill_test.py build/areia $(KILLS)

test-faults: ## let every system call of runs fail once, and kill at each
	@tools/setup build test lint
	@cmake --preset release -DAREIA_TESTS=ON >build.log 2>&1 || { cat build.log; exit 1; }
	@mkdir -p build && mv build.log build/configure.log
	@cmake --build --preset release --parallel $(JOBS) --target areia_cli areia_faults
	@/usr/bin/python3 -B tests/faults/faults_test.py build/areia build/tests/libareia_faults.so all

test-peers: build ## trajectories side by side with LAMMPS and LIGGGHTS: impacts, a settled bed, imported scripts
	@tools/setup peers
	@/usr/bin/python3 -B tests/peers/peers_test.py build/areia || [ $$? = 77 ]
	@/usr/bin/python3 -B tests/peers/import_test.py build/areia || [ $$? = 77 ]

cuda: setup ## build the program with the library of the cuda engine; needs nvcc
	@$(MAKE) --no-print-directory build
	@cmake --build --preset release --target areia_cuda

test-cuda: cuda ## on a machine with a GPU: laws, walls and all examples, bit by bit beside the cpu engine
	@tests/device/compile_test
	@python3 -B tests/device/engine_test.py build/areia || [ $$? = 77 ]

bench-cuda: cuda ## on a machine with a GPU: rates of the cuda engine
	@bench/cuda build/areia

test-device-compile: ## compile every law as device code; needs nvcc
	@tests/device/compile_test || [ $$? = 77 ]

fuzz: ## try to break the readers of all formats, FUZZ_SECONDS=300 for each
	@tools/setup build lint
	@tests/fuzz/run -s $(FUZZ_SECONDS)

bench: build ## compare with other codes on the same cases
	@tools/setup peers
	@bench/peers

tidy: ## static analysis with clang-tidy
	@tools/setup build test lint tidy
	@cmake --preset dev >/dev/null
	@tools/tidy build-dev

format: ## bring the sources into the form of .clang-format
	@tools/setup lint
	@tools/format

format-check: ## tell which sources are not in that form
	@tools/setup lint
	@tools/format --check

site: ## the documentation with menu and search: build/site/VERSION, to be served by any web server
	@tools/setup site
	@tools/site/build build/site

install: build ## install the program, library, examples and docs into PREFIX=/usr/local
	@cmake --build --preset release --parallel $(JOBS)
	@cmake --install build --prefix $(PREFIX)

dist: studio ## a release: build/dist/areia-VERSION.tar.gz, the sources with the page of the studio
	@tools/dist build

tarball: studio ## build/dist/areia-VERSION-linux-ARCH.tar.gz: a folder with all libraries, runs wherever it is unpacked
	@tools/setup tarball
	@cmake --build --preset release --parallel $(JOBS)
	@tests/packages/bundle_test "$$(tools/bundle build)"

deb: dist ## Debian packages in build/deb, from the release
	@tools/setup build python deb
	@tools/deb build

test-deb: ## as root, on a machine to try things on: install the packages of `make deb`, use them, remove them
	@tools/setup test-deb
	@tests/packages/deb_test build/deb

clean: ## remove what was built
	@rm -rf build build-dev build-sanitize build-tsan build-fuzz
