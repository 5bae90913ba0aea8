# Scan on Trial. `make help` lists the targets.
#
# kernels -> experiments -> results -> analysis -> figures and paper. Claims are discovered by file name:
# experiments/<claim>.cu pairs with analysis/<claim>.py. This file names no claim.

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.NOTPARALLEL: # a counting run already uses every core, and so does ninja
.SECONDEXPANSION:

CLAIMS  := $(patsubst experiments/%.cu,%,$(wildcard experiments/*.cu))
COUNTED := $(CLAIMS:%=results/simt/%.json)
FIGURES := $(CLAIMS:%=figures/%.json)
TARGETS := $(wildcard experiments/*.targets.csv)
PYTHON  := .venv/bin/python

# The CUDA compiler and this machine's GPU; either may be missing. Queried once and exported to sub-makes.
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
endif
ifeq ($(origin GPU_ARCH),undefined)
GPU_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | \
              grep -oE '^[0-9]+\.[0-9]+$$' | head -n 1 | tr -d .)
endif
export NVCC GPU_ARCH
GPU_MISSING := $(if $(GPU_ARCH),$(if $(NVCC),,no CUDA compiler: install https://developer.nvidia.com/cuda-downloads \
                 to time this GPU),no GPU here: times are those recorded in results/nvidia-h200)

# The user's own settings must not affect the figures.
export MPLCONFIGDIR := $(CURDIR)/build/matplotlib
export LC_ALL := C.UTF-8

# $(call timed,targets,result): make the targets. No output means that there was nothing to do.
timed = mkdir -p build; for target in $(1); do $(MAKE) -s $$target; done 2>&1 | tee build/make.log; \
        if [ -s build/make.log ]; then echo "done      in $$SECONDS s$(2)"; \
        else echo "done      nothing to do$(2)"; fi

# $(call place): "2 of 4" for the current claim.
place = $$(printf '%s\n' $(CLAIMS) | grep -nx $* | cut -d: -f1) of $(words $(CLAIMS))

# $(call build,machine,targets,cmake options): without build.ninja, the build folder is configured afresh.
define build
test -f build/$(1)/build.ninja || { rm -rf build/$(1); \
    cmake -S . -B build/$(1) -G Ninja -DMACHINE=$(1) $(3) > /dev/null; }
NINJA_STATUS='build     $(1) %f of %t: ' ninja -C build/$(1) $(2) | \
    sed -u -e '/^ninja: /d' -e '/^-- /d' -e '/Re-checking globbed/d'
endef

.PHONY: all test quick record counters gpu stale figures paper claim new lint format clean help
.PHONY: setup complete one-claim simt tests gpu-tests counted timed-evidence missing-times recording counting counting-if-permitted drawn report quick-figures

all: ## set up, count, measure this GPU if there is one, draw, write the report
	@$(call timed,counted timed-evidence report,: paper/paper.pdf$(if $(GPU_MISSING), ($(GPU_MISSING))))

test: ## run every test: machine, kernels, analysis, whole runs
	@$(call timed,tests)

quick: ## the same as all at small sizes, under build/quick only
	@$(call timed,quick-figures,: build/quick)

record: ## measure this machine's GPU anew, into results/<gpu>/; counters too, where they may be read
	@$(call timed,gpu recording counting-if-permitted)

counters: ## read this machine's GPU's own counters, into results/<gpu>/ (needs ncu)
	@$(call timed,gpu counting)

gpu: setup ## compile the GPU binaries (needs nvcc, no GPU)
	$(if $(NVCC),,$(error no CUDA compiler: install https://developer.nvidia.com/cuda-downloads))
	@$(call build,gpu,experiments tests,-DCMAKE_CUDA_COMPILER=$(NVCC) -DCMAKE_CUDA_ARCHITECTURES=$(or $(GPU_ARCH),90))

stale: ## name the recordings that are of other kernels than these (needs nvcc, no GPU)
	@$(if $(NVCC),$(MAKE) -s gpu && $(PYTHON) scripts/stale.py,echo "stale     not checked: no nvcc to compile the kernels with")

figures: ## count what is not counted, then draw
	@$(call timed,counted drawn,: figures)

paper: ## the report, paper/paper.pdf, and what it needs
	@$(call timed,counted paper/paper.pdf,: paper/paper.pdf)

claim: setup ## NAME=<claim>: count, draw and judge one claim
	@printf '%s\n' $(CLAIMS) | grep -qxF -e "$${NAME-}" || { echo "make claim: no claim '$${NAME-}': NAME is one of" \
	    $(CLAIMS) >&2; exit 1; }
	@$(MAKE) -s one-claim

new: setup ## NAME=<claim>: two new files that build and run at once
	@$(PYTHON) scripts/new_experiment.py "$${NAME-}"

lint: setup ## check the form of every source file
	@$(CLANG_FORMAT) --dry-run --Werror $(CXX_FILES)
	@! grep -nE '.{111}' $(CXX_FILES) || { echo "lint: these lines have more than 110 characters: wrap them" >&2; exit 1; }
	@$(PYTHON) -m ruff check --quiet .
	@$(PYTHON) -m ruff format --check --quiet . || { echo "ruff format: run make format" >&2; exit 1; }
	@$(PYTHON) -m compileall -q analysis scripts tests
	@! command -v shellcheck > /dev/null || shellcheck scripts/*.sh .ci/run

format: setup ## rewrite the sources into that form
	@$(CLANG_FORMAT) -i $(CXX_FILES)
	@$(PYTHON) -m ruff check --quiet --fix --exit-zero .
	@$(PYTHON) -m ruff format --quiet .

clean: ## remove all that is built; recorded results and committed figures stay
	@rm -rf build paper/paper.pdf figures/*.pdf

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

CXX_FILES    = $(shell find kernels simt experiments tests scripts -name '*.cu' -o -name '*.cuh' -o -name '*.h' -o -name '*.cpp')
CLANG_FORMAT = .venv/bin/clang-format

# --- Set-up and build -------------------------------------------------------------------------------

setup:
	@scripts/setup.sh

.venv/requirements.txt: setup
	@:

complete:
	@for claim in $(CLAIMS); do test -f analysis/$$claim.py || { echo "experiments/$$claim.cu has no" \
	    "analysis/$$claim.py: every claim needs both (make new NAME=... writes a pair)" >&2; exit 1; }; done

simt: setup complete
	@$(call build,simt,experiments simt_speed,-DCMAKE_CXX_COMPILER=g++)

$(CLAIMS:%=build/simt/experiments/%) build/simt/simt_speed: simt
	@:

tests: setup complete
	@$(call build,simt,experiments tests,-DCMAKE_CXX_COMPILER=g++)
	@ctest --test-dir build/simt --output-on-failure --no-tests=error --parallel 2
	@$(if $(GPU_MISSING),echo "test      the kernels on a GPU: skipped: $(strip $(GPU_MISSING))",$(MAKE) -s gpu-tests)
	@$(PYTHON) -m pytest

gpu-tests: gpu
	@ctest --test-dir build/gpu --output-on-failure --no-tests=error

# --- Evidence ---------------------------------------------------------------------------------------

# $(call count,folder,options): the binary writes a temporary file and renames it: no partial result remains.
count = echo "count     $* ($(call place))"; $< --out=$(1) $(2)

counted: $(COUNTED)

$(COUNTED): results/simt/%.json: build/simt/experiments/%
	@mkdir -p build/times; start=$$EPOCHREALTIME; $(call count,results/simt); \
	    awk "BEGIN { printf \"{\\\"seconds\\\": %.1f}\\n\", $$EPOCHREALTIME - $$start }" > build/times/$*.new; \
	    mv build/times/$*.new build/times/$*.json

# One claim, always anew: its binary alone is built. A GPU would time it between the count and the figure.
one-claim: CLAIMS := $(NAME)
one-claim: complete
	@$(call build,simt,experiment_$(NAME),-DCMAKE_CXX_COMPILER=g++)
	@echo "count     $(NAME)"; build/simt/experiments/$(NAME) --out=results/simt
	@echo "draw      $(NAME)"; $(PYTHON) -m analysis $(NAME) --verdict

build/simt-speed.json: build/simt/simt_speed
	@echo "measure   the SIMT machine's own speed"
	@$< --benchmark_out=$@.new --benchmark_out_format=json > /dev/null 2>&1
	@mv $@.new $@

build/quick/results/simt/%.json: build/simt/experiments/%
	@$(call count,build/quick/results/simt,--quick)

# The report must be built even if the GPU is busy or too old for the toolkit.
timed-evidence:
	@$(if $(GPU_MISSING),:,$(MAKE) -s missing-times || echo "record    failed, see above: this GPU's times are not in the report")

missing-times: gpu
	@$(PYTHON) scripts/record.py --binaries build/gpu/experiments --if-needed

recording: setup
	$(if $(GPU_MISSING),$(error make record: $(GPU_MISSING)))
	@$(PYTHON) scripts/record.py --binaries build/gpu/experiments

counting: setup
	$(if $(GPU_MISSING),$(error make counters: $(GPU_MISSING)))
	@$(PYTHON) scripts/counters.py --binaries build/gpu/experiments

counting-if-permitted:
	@$(MAKE) -s counting || echo "counters  not read, see above; the times are recorded"

# --- Report -----------------------------------------------------------------------------------------

SHARED_ANALYSIS = $(filter-out $(CLAIMS:%=analysis/%.py),$(wildcard analysis/*.py analysis/*/*.py))

drawn: $(FIGURES) figures/agreement.json figures/log.json
report: drawn build/readme paper/paper.pdf

figures/%.json figures/%.svg figures/%.pdf: $$(wildcard results/*/$$*.json results/*/$$*.counters.json) analysis/%.py $(SHARED_ANALYSIS) .venv/requirements.txt
	@echo "draw      $* ($(call place))"
	@$(PYTHON) -m analysis $*

figures/agreement.json: $(COUNTED) $(wildcard results/*/*.counters.json results/*/metrics.csv) $(SHARED_ANALYSIS) .venv/requirements.txt
	@echo "draw      agreement of counts and counters"
	@$(PYTHON) -m analysis --agreement

figures/log.json: $(wildcard results/*/log.csv) $(wildcard $(TARGETS:experiments/%.targets.csv=results/*/%.json)) $(TARGETS) $(SHARED_ANALYSIS) .venv/requirements.txt
	@echo "draw      the log"
	@$(PYTHON) -m analysis --log

build/quick/figures/%.json: build/quick/results/simt/%.json analysis/%.py $(SHARED_ANALYSIS) .venv/requirements.txt
	@echo "draw      $* ($(call place))"
	@$(PYTHON) -m analysis $* --results build/quick/results --figures build/quick/figures

quick-figures: $(CLAIMS:%=build/quick/figures/%.json)

build/readme: $(FIGURES) figures/agreement.json README.md
	@echo "write     README.md, verdicts"
	@$(PYTHON) -m analysis --readme
	@touch $@

paper/paper.pdf: $(FIGURES) figures/agreement.json figures/log.json build/simt-speed.json $(filter-out paper/paper.pdf,$(wildcard paper/*.* paper/*/*.*))
	@echo "write     paper/paper.pdf"
	@$(PYTHON) -m analysis --paper
