# SPDX-License-Identifier: GPL-3.0-or-later
# Builds, tests and installs wattsink. `make` only builds; `make test` and `make demo` first install missing packages.
#
#   make            build/wattsink, build/libwattsink.a, build/libwattsink.so
#   make test       all tests                       make asan-test   unit, property and bad-input tests, sanitized
#   make demo       one scenario, with pictures     make validate    build/validation.md; validation-docs: into docs/
#   make bench      timings; bench-compare: against the baseline; bench-doc: docs/bench.md. BUDGET=told: never fails
#   make bench-optimise   the search for the best settings against NLopt's methods (libnlopt-dev)
#   make fuzz       one minute per fuzzer (fuzz-long: one hour); `make test` repeats the inputs in tests/fuzz/*.seeds
#   make soak       hours; writes docs/reliability.md   make tsan-test   threads under ThreadSanitizer
#   make mutate     200 mistakes put into sim/ and models/: do the tests notice? MUTANTS=200 SEED=time
#   make schema     schema/wattsink.xsd from the parameter tables; make docs: docs/reference from the same; make figures
#   make po         adds new texts of the source to po/ja.po, to be translated
#   make mpi        build/wattsink-mpi with MPICC=mpicc; mpi-test: Open MPI and MPICH; slurm-test: a Slurm cluster
#   make coverage   branches that the tests take, by folder and file, against thresholds (gcovr)
#   make report-check   opens the report in headless Chromium
#   make install    PREFIX=/usr/local DESTDIR=      make clean                   V=1 shows the commands
#   make uninstall  removes it                      make man     build/man/*.1: a manual page per command
#   make web        build/web/wattsink.html, the page in the browser, and build/web/site/ (Debian: emscripten)
#   make web-check  checks the page in headless Chromium (nodejs, chromium), make web-types its JavaScript (npm)
#   make deb        build/deb/*.deb                 make deb-check   builds them twice and compares the bytes
#
# Another build in a folder of its own: make BUILD=build/clang CC=clang, or make asan.

BUILD  ?= build
PREFIX ?= /usr/local
$(if $(PREFIX),$(if $(filter /%,$(firstword $(PREFIX))),,$(error PREFIX=$(PREFIX): expected a path that begins with /)))
CC     := $(if $(filter default,$(origin CC)),gcc,$(CC))
SAN    ?=
MPICC  ?= mpicc

PKGS      := libxml-2.0 gsl json-c
CLIPKGS   := sqlite3
STD       := -std=c17 -D_POSIX_C_SOURCE=200809L
WARN      := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes \
             -Wpointer-arith -Wwrite-strings -Wundef -Werror
OPT       := -O2 -g -fno-math-errno -ffp-contract=off -fopenmp-simd -fPIC
SANFLAGS  := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer -DWSK_SANITIZED)
CPPFLAGS_ := -I. -Iinclude -DWSK_SHARE_DIR='"$(PREFIX)/share/wattsink"' $(shell pkg-config --cflags $(PKGS) $(CLIPKGS) 2>/dev/null)
CFLAGS_   := $(STD) $(OPT) $(WARN) $(SANFLAGS)
LIBS      := $(or $(shell pkg-config --libs $(PKGS) 2>/dev/null),-lxml2 -lgsl -lgslcblas -ljson-c) -lm
CLILIBS   := $(or $(shell pkg-config --libs $(CLIPKGS) 2>/dev/null),-lsqlite3) $(LIBS) -fopenmp
# Libraries that the program loads at run time (dlopen), by their soname. They are searched in the folders that pkg-config
# names (-L), to which the program then has a run path, or else in those of the compiler.
named_so   = $(firstword $(wildcard $(patsubst -L%,%/$(2),$(shell pkg-config --libs-only-L $(1) 2>/dev/null))))
soname_of  = $(shell objdump -p "$(or $(call named_so,$(1),$(2)),$(shell $(CC) -print-file-name=$(2)))" 2>/dev/null | sed -n 's/ *SONAME *//p')
run_path_of = $(patsubst %/,-Wl$(comma)-rpath$(comma)%,$(dir $(call named_so,$(1),$(2))))
comma     := ,
# `run --full` writes NetCDF if the NetCDF library was installed at build time; `make NETCDF=` builds without it. The
# program loads the library at run time (dlopen), for --full only.
NETCDF    ?= $(shell pkg-config --exists netcdf 2>/dev/null && echo netcdf)
NETCDFSO  := $(if $(NETCDF),$(call soname_of,$(NETCDF),libnetcdf.so))
CPPFLAGS_ += $(if $(NETCDFSO),-DWSK_NETCDF='"$(NETCDFSO)"' $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(NETCDF))))
CLILIBS   += $(if $(NETCDFSO),-ldl $(call run_path_of,$(NETCDF),libnetcdf.so))
# `twin --listen` is served by libmicrohttpd, which is found and loaded in the same way; `make MICROHTTPD=` builds
# without it.
MICROHTTPD   ?= $(shell pkg-config --exists libmicrohttpd 2>/dev/null && echo libmicrohttpd)
MICROHTTPDSO := $(if $(MICROHTTPD),$(call soname_of,$(MICROHTTPD),libmicrohttpd.so))
CPPFLAGS_ += $(if $(MICROHTTPDSO),-DWSK_MICROHTTPD='"$(MICROHTTPDSO)"' $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(MICROHTTPD))))
CLILIBS   += $(if $(MICROHTTPDSO),-ldl $(call run_path_of,$(MICROHTTPD),libmicrohttpd.so))
# CPPFLAGS, CFLAGS and LDFLAGS of the user come after the project's own flags, so that they override them.
COMPILE    = $(CC) $(CPPFLAGS_) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP
LINK       = $(CC) $(SANFLAGS) $(LDFLAGS)

SIM      := $(sort $(wildcard sim/*.c sim/*/*.c sim/*/*/*.c))
MODELS   := $(sort $(wildcard models/*/*.c))
CLI      := $(sort $(wildcard cli/*.c cli/*/*.c draw/*.c))
# The state of a twin in shared memory (segment.c), requests to it (ask.c), and the product data of its cards
# (identity.c). A client of a twin needs the first two.
TWIN     := $(sort $(wildcard twin/*.c))
# The stand-in for NVIDIA's library (twin/nvml/state.h). Of our sources it needs only those that read and ask a twin.
NVMLOBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard twin/nvml/*.c)) twin/segment.c twin/ask.c)
WORDS    := $(sort $(wildcard words/*.c))
LANGS    := $(patsubst po/%.po,%,$(sort $(wildcard po/*.po)))
LIBOBJS  := $(patsubst %.c,$(BUILD)/obj/%.o,$(SIM) $(MODELS)) $(BUILD)/obj/registry.o
CLIOBJS  := $(patsubst %.c,$(BUILD)/obj/%.o,$(CLI) $(TWIN)) $(BUILD)/obj/live_js.o
WORDOBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(WORDS)) $(LANGS:%=$(BUILD)/obj/po/%.o)
SUPPORT  := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/support/*.c)))

TIERS    ?= unit property verify validate fault fuzz arch cli golden
TESTC    := $(sort $(wildcard $(patsubst %,tests/%/test_*.c,$(TIERS))))
TESTSH   := $(sort $(wildcard $(patsubst %,tests/%/*.sh,$(filter arch cli golden fault,$(TIERS)))))
FUZZBIN  := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
TESTBIN  := $(patsubst %.c,$(BUILD)/%,$(TESTC)) $(if $(filter fuzz,$(TIERS)),$(FUZZBIN))
VERSION  := $(shell sed -n 's/^.define WATTSINK_VERSION "\(.*\)"/\1/p' include/wattsink.h)

Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)  $@')

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all lib check circles test demo validate validation-docs figures soak soak-property tsan-test tsan-nvml coverage mutate report-check bench bench-compare bench-doc bench-optimise fuzz fuzz-run fuzz-long asan asan-test schema docs po man install uninstall deb deb-check clean \
        mpi mpi-test slurm-test deps check-deps FORCE

all: $(BUILD)/wattsink $(BUILD)/libwattsink.so $(BUILD)/twin/libnvidia-ml.so.1 man
lib: $(BUILD)/libwattsink.a

# ---- building ----
$(BUILD)/wattsink: $(CLIOBJS) $(BUILD)/libwords.a $(BUILD)/libwattsink.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(CLILIBS)

# wattsink-mpi is the program with sweeps over MPI ranks; nothing else needs MPI. wattsink-mpi.NAME is built by
# mpicc.NAME.
MPISRC  := $(sort $(wildcard extras/mpi/*.c))
MPIDEPS := $(MPISRC) $(wildcard extras/mpi/*.h cli/*/*.h draw/*.h) $(filter-out %/main.o,$(CLIOBJS)) $(BUILD)/libwords.a $(BUILD)/libwattsink.a
mpicc    = $(Q)$(1) $(CPPFLAGS_) $(CPPFLAGS) $(CFLAGS_) -pthread $(CFLAGS) -o $@ $(filter %.c %.o %.a,$^) $(CLILIBS) $(LDFLAGS)
mpi: $(BUILD)/wattsink-mpi
$(BUILD)/wattsink-mpi: $(MPIDEPS)
	$(call say,MPICC)
	$(call mpicc,$(MPICC))
$(BUILD)/wattsink-mpi.%: $(MPIDEPS)
	$(call say,MPICC)
	$(call mpicc,mpicc.$*)

# Tests sweeps with every installed MPI (Open MPI, MPICH), one after the other.
MPIS := $(foreach m,openmpi mpich,$(if $(shell command -v mpicc.$(m) 2>/dev/null),$(m)))
mpi-test: all $(MPIS:%=$(BUILD)/wattsink-mpi.%)
	@test -n "$(MPIS)" || { echo "mpi-test: neither mpicc.openmpi nor mpicc.mpich (Debian: libopenmpi-dev openmpi-bin libmpich-dev mpich)" >&2; exit 1; }
	@BUILD=$(BUILD) WATTSINK=$(abspath $(BUILD))/wattsink JOBS=1 ./tests/run $(MPIS:%=tests/mpi/%.sh)
slurm-test: all $(BUILD)/wattsink-mpi.openmpi $(BUILD)/wattsink-mpi.mpich
	@WATTSINK=$(abspath $(BUILD))/wattsink ./tests/mpi/slurm/run.sh docs/slurm-transcript.txt

$(BUILD)/libwattsink.a: $(LIBOBJS)
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcs $@ $^

# Translations of the program's text: linked into the programs, not into libwattsink.
$(BUILD)/libwords.a: $(WORDOBJS)
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcs $@ $^
$(BUILD)/po/%.mo: po/%.po | check-deps
	@mkdir -p $(@D)
	$(call say,PO)
	$(Q)msgfmt -c --endianness=little -o $@ $<
$(BUILD)/po/%.c: $(BUILD)/po/%.mo
	@{ echo '#include <stddef.h>'; \
	   echo 'extern const unsigned char wsk_words_$*[];'; \
	   echo 'extern const size_t wsk_words_$*_len;'; \
	   echo 'const unsigned char wsk_words_$*[] = {'; \
	   od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; \
	   echo '};'; \
	   echo 'const size_t wsk_words_$*_len = sizeof wsk_words_$*;'; } > $@
$(BUILD)/obj/po/%.o: $(BUILD)/po/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

# The script of the page that a twin serves (cli/twin/server.c).
$(BUILD)/live_js.c: cli/twin/live.js
	@mkdir -p $(@D)
	@{ echo '#include <stddef.h>'; \
	   echo 'extern const unsigned char wsk_live_js[];'; \
	   echo 'extern const size_t wsk_live_js_len;'; \
	   echo 'const unsigned char wsk_live_js[] = {'; \
	   od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; \
	   echo '};'; \
	   echo 'const size_t wsk_live_js_len = sizeof wsk_live_js;'; } > $@
$(BUILD)/obj/live_js.o: $(BUILD)/live_js.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

$(BUILD)/libwattsink.so: $(LIBOBJS)
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,-soname,libwattsink.so.0 -o $@ $^ $(LIBS)

$(BUILD)/twin/libnvidia-ml.so.1: $(NVMLOBJS) twin/nvml/exports.map
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) -shared -pthread -Wl,-soname,$(@F) -Wl,--version-script=twin/nvml/exports.map -o $@ $(NVMLOBJS)
	@ln -sf $(@F) $(@D)/libnvidia-ml.so

$(BUILD)/obj/%.o: %.c | check-deps
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

$(BUILD)/obj/cli/kit/cases.o: CFLAGS_ += -fopenmp
$(BUILD)/obj/registry.o: $(BUILD)/registry.c | check-deps
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

# registry.c, the tables of all kinds and coolants, is written from the names of the files models/ELEMENT/KIND.c and
# models/coolant/NAME.c. It is replaced only if it changed, so that an unchanged list recompiles nothing.
KINDS := $(subst -,_,$(subst /,_,$(patsubst models/%.c,wsk_%,$(filter-out models/coolant/%,$(MODELS)))))
COOLANTS := water $(filter-out water,$(patsubst models/coolant/%.c,%,$(filter models/coolant/%,$(MODELS))))
$(BUILD)/registry.c: FORCE
	@mkdir -p $(@D)
	@{ echo '/* Written by the Makefile from the list of files under models/. */'; \
	   echo '#include "sim/net/kind.h"'; \
   echo '#include "sim/net/coolant.h"'; \
	   for k in $(KINDS); do echo "extern const wsk_kind $$k;"; done; \
	   echo 'const wsk_kind *const wsk_kinds[] = {'; \
	   for k in $(KINDS); do echo "    &$$k,"; done; \
	   echo '    NULL};'; \
   for c in $(subst -,_,$(COOLANTS)); do echo "extern const wsk_coolant wsk_coolant_$$c;"; done; \
   echo 'const wsk_coolant *const wsk_coolants[] = {'; \
   for c in $(subst -,_,$(COOLANTS)); do echo "    &wsk_coolant_$$c,"; done; \
   echo '    NULL};'; \
   echo 'const char *const wsk_coolant_names[] = {'; \
   for c in $(COOLANTS); do echo "    \"$$c\","; done; \
   echo '    NULL};'; } > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Some objects contain the installation paths of parts and plots: they are recompiled when PREFIX changes.
$(BUILD)/share-dir: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)/share/wattsink' | cmp -s - $@ || echo '$(PREFIX)/share/wattsink' > $@
# Objects that use NetCDF are recompiled when its library appears, vanishes or changes its name.
$(BUILD)/netcdf: FORCE
	@mkdir -p $(@D)
	@echo '$(NETCDFSO)' | cmp -s - $@ || echo '$(NETCDFSO)' > $@
$(patsubst %.c,$(BUILD)/obj/%.o,$(shell grep -l WSK_NETCDF $(CLI))): $(BUILD)/netcdf
$(BUILD)/microhttpd: FORCE
	@mkdir -p $(@D)
	@echo '$(MICROHTTPDSO)' | cmp -s - $@ || echo '$(MICROHTTPDSO)' > $@
$(patsubst %.c,$(BUILD)/obj/%.o,$(shell grep -l WSK_MICROHTTPD $(CLI))): $(BUILD)/microhttpd
$(patsubst %.c,$(BUILD)/obj/%.o,$(shell grep -l WSK_SHARE_DIR $(SIM) $(CLI))): $(BUILD)/share-dir

# ---- the page in the browser ----
include web/web.mk

# ---- required packages; only `deps` installs any ----
check-deps:
	@CC="$(CC)" ./.ci/deps build
deps:
	@CC="$(CC)" ./.ci/deps install

# ---- tests: cmocka programs test_*.c and shell scripts *.sh, each run from the top folder ----
# Some tests include a source file of the program to reach its static functions; libcli.a has the rest of the program.
$(BUILD)/libcli.a: $(filter-out %/main.o,$(CLIOBJS))
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcs $@ $^
$(BUILD)/tests/%: tests/%.c $(SUPPORT) $(BUILD)/libcli.a $(BUILD)/libwords.a $(BUILD)/libwattsink.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -MF $@.d -o $@ $< $(SUPPORT) $(BUILD)/libcli.a $(BUILD)/libwords.a $(BUILD)/libwattsink.a -lcmocka $(TESTLIBS) $(CLILIBS) $(LDFLAGS)
$(BUILD)/tests/verify/test_schedule: TESTLIBS = -lglpk

check: all $(TESTBIN)
	@BUILD=$(BUILD) WATTSINK=$(abspath $(BUILD))/wattsink CC="$(CC)" ./tests/run $(TESTBIN) $(TESTSH) $(EXTRA)

test: deps
	@$(MAKE) --no-print-directory check

# Checks the calls between files, by the symbols of the object files: their order (docs/architecture.md), and unused
# functions.
circles: all
	@export WATTSINK=$(abspath $(BUILD))/wattsink; sh tests/arch/circles.sh; ordered=$$?; sh tests/arch/unused.sh && exit $$ordered

asan:
	@$(MAKE) --no-print-directory BUILD=build/asan SAN=address,undefined all
# Time limit of one test file in s (tests/run). It is longer under sanitizers, which are slow, and for `make soak`.
TEST_SECONDS ?= 600
export TEST_SECONDS
asan-test tsan-test: TEST_SECONDS = 3600
soak: TEST_SECONDS = 5400
asan-test:
	@WATTSINK_SHORT=1 $(MAKE) --no-print-directory BUILD=build/asan SAN=address,undefined \
	    TIERS="unit property fault fuzz" EXTRA="$(wildcard tests/cli/badinput.sh)" check

# Long tests in parts, which also count for docs/reliability.md (CONTRIBUTING.md): `make soak PARTS="faults fuzz"`.
PARTS      ?= property suite kills faults twin fuzz coverage mutate
SOAK_RUNS  ?= 20
KILL_RUNS  ?= 10
TWIN_SECONDS ?= 3600
soak: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) MAKE="$(MAKE)" SOAK=$(SOAK) SOAK_RUNS=$(SOAK_RUNS) KILL_RUNS=$(KILL_RUNS) \
	    TWIN_SECONDS=$(TWIN_SECONDS) ./tests/soak/run.sh $(PARTS)
# Property tests with SOAK times as many random cases. With SOAK=7, test_steppers compares the fast and the reference
# method of time integration on about a thousand random rigs.
SOAK ?= 7
soak-property:
	@WATTSINK_SOAK=$(SOAK) $(MAKE) --no-print-directory TIERS=property \
	    TESTBIN='$(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/property/test_*.c)) tests/verify/test_steppers.c)' check

# Puts mistakes into sim/ and models/, one at a time (tests/mutate/mutate.sh). Which tests execute a line is known
# from a build that counts lines. Of the scripts, only those run that judge results and messages within seconds.
MUTATE  := $(BUILD)/mutate
MUTATED := $(sort $(wildcard $(patsubst %,tests/%/test_*.c,unit property verify validate) tests/fault/test_memory*.c))
MUTATED_BY := $(wildcard tests/golden/*.sh) $(patsubst %,tests/cli/%.sh,advice badinput calls circuits cooling_fails \
    counted every exchange machines mistakes report resolved run_edges samples sentences structure sweep sweep_edges tokens \
    tutorial values)
mutate: export MUTATE_COMPILE = $(COMPILE)
mutate: export MUTATE_LINK = $(LINK)
mutate: export MUTATE_LIBS = -lglpk $(CLILIBS) # GLPK for test_schedule
mutate: export MUTATE_SUPPORT = $(SUPPORT)
mutate: export MUTATE_SAN = -fsanitize=address,undefined -fno-sanitize-recover=all -DWSK_SANITIZED
mutate: all $(BUILD)/libcli.a $(SUPPORT)
	@$(MAKE) --no-print-directory BUILD=$(MUTATE)/cov CFLAGS='--coverage -O1 -g0 -w' LDFLAGS=--coverage $(MUTATE)/cov/wattsink $(MUTATED:%.c=$(MUTATE)/cov/%)
	@$(MAKE) --no-print-directory BUILD=$(MUTATE)/asan SAN=address,undefined $(patsubst %,$(MUTATE)/asan/lib%.a,wattsink cli words) $(SUPPORT:$(BUILD)/%=$(MUTATE)/asan/%)
	@MUTATE=$(MUTATE) BUILD=$(BUILD) sh tests/mutate/mutate.sh $(MUTATED) $(MUTATED_BY)

# Searches for data races with clang's ThreadSanitizer. Archer, in LLVM's OpenMP, tells it where threads synchronise.
tsan-test:
	@WATTSINK_SHORT=1 TSAN_OPTIONS="ignore_noninstrumented_modules=1 $$TSAN_OPTIONS" $(MAKE) --no-print-directory BUILD=build/tsan CC=clang SAN=thread TIERS=none \
	    TESTBIN="build/tsan/tests/property/test_same_bits build/tsan/tests/unit/test_twin_nvml" EXTRA="tests/cli/sweep.sh tests/cli/compare.sh" check

# Does the same for the stand-in for NVIDIA's library alone, called by eight threads. It takes seconds, for .ci/run.
tsan-nvml:
	@$(MAKE) --no-print-directory BUILD=build/tsan CC=clang SAN=thread build/tsan/twin/libnvidia-ml.so.1
	@clang -std=c17 -D_POSIX_C_SOURCE=200809L -O1 -g -fsanitize=thread -DWSK_SANITIZED -I. -pthread -o build/tsan/nvml-threads \
	    tests/unit/test_twin_nvml.c twin/segment.c -lcmocka -ldl
	@BUILD=build/tsan TSAN_OPTIONS="ignore_noninstrumented_modules=1 $$TSAN_OPTIONS" ./tests/run build/tsan/nvml-threads

# Branches and lines that the tests take, counted by gcov and gathered by gcovr. Compiled by -O1 without inlining, where a
# branch of the source counts once; other levels give other counts. Threads count by atomic additions. The tests of arch are
# left out: they read symbols. Those of faults come first: a program killed, or without memory or disk, while it writes its
# counts damages them, and the next one begins anew. Tests that link the library by themselves fail; `make test` judges.
# WATTSINK_CALLS: number of calls on files, of each command, that are made to fail (tests/fault/io.sh). It is larger than
# usual, because many branches handle such failures.
# With -std=gnu17 gcc knows fork() and execlp(), so that a process stores its counts before another program takes its place.
COVERAGE := -O1 -fno-inline -std=gnu17 --coverage -fprofile-update=atomic
coverage: TEST_SECONDS = 3600
coverage: export WATTSINK_CALLS = 30
coverage: BUILD = build/coverage
coverage:
	@command -v gcovr >/dev/null || { echo "coverage: gcovr is missing (Debian: gcovr)" >&2; exit 1; }
	@mkdir -p $(BUILD) && find $(BUILD) -name '*.gcda' -delete
	@for tiers in fault "$(filter-out arch fault,$(TIERS))"; do \
	    $(MAKE) --no-print-directory BUILD=$(BUILD) CPPFLAGS=-DWSK_COVERAGE CFLAGS="$(COVERAGE)" LDFLAGS=--coverage TIERS="$$tiers" check || \
	        echo "coverage: tests fail with counters in the program"; done
	@BUDGET=$(BUDGET) ./tests/coverage.sh $(BUILD)

# ---- results ----
demo: deps
	@$(MAKE) --no-print-directory all
	@rm -rf build/demo && mkdir -p build/demo
	$(BUILD)/wattsink run scenarios/quad-3090-blower/rig.xml -o build/demo
	$(BUILD)/wattsink plot build/demo --format svg
	$(BUILD)/wattsink plot build/demo --format png --quiet
	$(BUILD)/wattsink report build/demo
	$(BUILD)/wattsink compare scenarios/bronze-vs-gold/bronze.xml scenarios/bronze-vs-gold/gold.xml --annual
	@echo "The pictures, as svg and png: build/demo/plots/; the page: build/demo/report.html; the numbers: build/demo/summary.json"

WATTSINK_DATA ?= ../shared/data
PAGES := $(BUILD)/validation.md $(BUILD)/validation-power.md
# Runs the validation tests and writes their pages, from the measurements in tests/validate/facts, and from raw traces
# if WATTSINK_DATA names their folder.
validate: deps
	@WATTSINK_DATA="$(WATTSINK_DATA)" $(MAKE) --no-print-directory TIERS=validate check
	@rm -rf $(BUILD)/figures $(PAGES) && mkdir -p $(BUILD)/figures
	@$(MAKE) --no-print-directory $(BUILD)/tests/validate/report
	$(BUILD)/tests/validate/report "$(WATTSINK_DATA)" $(BUILD)/transients.dat > $(BUILD)/validation.md
	gnuplot -e "points='$(BUILD)/transients.dat.points'; out='$(BUILD)/figures/one-to-one.png'" tests/validate/one-to-one.gp
	@if grep -q '^!.*transients.png' $(BUILD)/validation.md && grep -q '^!.*halves.png' $(BUILD)/validation.md; then \
	    gnuplot -e "series='$(BUILD)/transients.dat'; out='$(BUILD)/figures/transients.png'" tests/validate/transients.gp; fi
	@$(MAKE) --no-print-directory $(BUILD)/tests/validate/report_power
	$(BUILD)/tests/validate/report_power $(BUILD)/limit.dat > $(BUILD)/validation-power.md
	gnuplot -e "series='$(BUILD)/limit.dat'; dir='$(BUILD)/figures'" tests/validate/limit.gp
	@sed -e '/^!\[/d' -e '/^<!--/d' $(BUILD)/validation-power.md $(BUILD)/validation.md
validation-docs: validate
	@! grep -q '^## Raw data that is not here' $(BUILD)/validation.md || \
	    { echo "validation-docs: raw data is missing: docs/ stays as it is" >&2; exit 1; }
	cp $(PAGES) docs/
	cp $(BUILD)/figures/*.png docs/figures/

# Solvers to compare with (ngspice, GSL, CVODE) are compiled into the benchmark if their libraries are installed.
hash := \#
has = $(if $(shell printf '$(hash)include <$(1)>\n' | $(CC) -isystem /usr/include/suitesparse -E - >/dev/null 2>&1 && echo y),$(2))
PEERFLAGS = $(call has,ngspice/sharedspice.h,-DWSK_PEER_NGSPICE) $(call has,gsl/gsl_odeiv2.h,-DWSK_PEER_GSL) \
            $(call has,sunlinsol/sunlinsol_klu.h,-DWSK_PEER_CVODE)
PEERLIBS  = $(call has,ngspice/sharedspice.h,-lngspice) $(call has,sunlinsol/sunlinsol_klu.h,-lsundials_cvode -lsundials_nvecserial \
            -lsundials_sunlinsolklu -lsundials_sunmatrixsparse -lklu)
PEERSRC   = tests/bench/peers/peers.c tests/bench/peers/case.c tests/bench/peers/ode.c \
            $(call has,ngspice/sharedspice.h,tests/bench/peers/ngspice.c) \
            $(call has,gsl/gsl_odeiv2.h,tests/bench/peers/gsl.c) $(call has,sunlinsol/sunlinsol_klu.h,tests/bench/peers/cvode.c)
$(BUILD)/tests/bench/peers: $(wildcard tests/bench/peers/*) $(BUILD)/libwattsink.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_) -isystem /usr/include/suitesparse $(PEERFLAGS) $(CFLAGS_) $(CFLAGS) -o $@ $(PEERSRC) \
	    $(BUILD)/libwattsink.a $(LIBS) $(PEERLIBS) -Wl,--wrap=wsk_point_solve $(LDFLAGS)
$(BUILD)/tests/bench/budget: tests/bench/budget.c $(BUILD)/libwattsink.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_) $(CFLAGS_) $(CFLAGS) -o $@ $< $(BUILD)/libwattsink.a $(LIBS) $(LDFLAGS)

$(BUILD)/tests/bench/rivals: tests/bench/rivals.c $(BUILD)/obj/tests/support/question.o $(BUILD)/libwattsink.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_) $(CFLAGS_) $(CFLAGS) -o $@ $< $(BUILD)/obj/tests/support/question.o $(BUILD)/libwattsink.a \
	    -lnlopt $(LIBS) $(LDFLAGS)
bench-optimise: $(BUILD)/tests/bench/rivals
	@$(BUILD)/tests/bench/rivals

report-check: all
	@WATTSINK=$(abspath $(BUILD))/wattsink ./tests/run tests/browser/report.sh

bench: all $(BUILD)/tests/bench/budget $(BUILD)/tests/bench/peers
	@BUILD=$(BUILD) WATTSINK=$(abspath $(BUILD))/wattsink BUDGET=$(BUDGET) ./tests/bench/bench.sh $(if $(SHORT),short)
bench-compare:
	@./tests/bench/compare.sh tests/bench/baseline.json $(BUILD)/bench.json
bench-doc:
	@./tests/bench/doc.sh $(BUILD)/bench.json

# ---- fuzzers: each file tests/fuzz/fuzz_NAME.c is linked with libFuzzer for `make fuzz`, and with replay.c for `make
# test`, where it reads the files of tests/fuzz/fuzz_NAME.seeds ----
FUZZOBJS = $(BUILD)/obj/tests/fuzz/fuzz.o $(if $(findstring fuzzer,$(SAN)),,$(BUILD)/obj/tests/fuzz/replay.o)
$(FUZZBIN): $(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZOBJS) $(BUILD)/libcli.a $(BUILD)/libwords.a $(BUILD)/libwattsink.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) $(if $(findstring fuzzer,$(SAN)),-fsanitize=fuzzer) -o $@ $^ $(if $(findstring fuzzer,$(SAN)),,-lcmocka) $(CLILIBS)
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= 0
FUZZ_RUNS ?= -1
fuzz:
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang SAN=fuzzer-no-link,address,undefined CFLAGS=-Wno-pass-failed fuzz-run
fuzz-run: $(FUZZBIN)
	@./tests/fuzz/run $(FUZZ_SECONDS) $(FUZZ_SEED) $(FUZZ_RUNS) $(FUZZBIN)
fuzz-long:
	@$(MAKE) --no-print-directory FUZZ_SECONDS=3600 fuzz

schema: all
	@mkdir -p schema
	$(BUILD)/wattsink schema > schema/wattsink.xsd.new
	mv schema/wattsink.xsd.new schema/wattsink.xsd

docs: all
	sh docs/reference/make.sh $(BUILD)/wattsink docs/reference

po:
	sh po/update.sh

# Draws the pictures of the documentation that the program can compute; needs gnuplot.
figures: all
	sh docs/figures/make.sh $(BUILD)/wattsink docs/figures

# ---- installing ----
# Manual pages: docs/wattsink.1, and one per command made from the program's help by docs/man.sh.
$(BUILD)/man/.done: $(BUILD)/wattsink docs/man.sh docs/wattsink.1
	$(call say,MAN)
	@rm -rf $(@D) && mkdir -p $(@D) && cp docs/wattsink.1 $(@D)/
	@for c in $$(LC_ALL=C $< help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do \
	    LC_ALL=C $< help $$c | sh docs/man.sh $$c > $(@D)/wattsink-$$c.1 || exit 1; done
	@touch $@
man: $(BUILD)/man/.done

LIBDIR  ?= $(PREFIX)/lib
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
DOCDIR  ?= $(PREFIX)/share/doc/wattsink
# What help, sources of parts and manual pages name as docs/..., under this folder. Debian's packages have it and DOCDIR,
# with the examples of the library, in different ones.
GUIDEDIR ?= $(DOCDIR)
GUIDES  := docs/smi.md docs/twin.md $(sort $(wildcard docs/theory/*.md))
INST    := $(DESTDIR)$(PREFIX)
LIB     := $(DESTDIR)$(LIBDIR)
SOFILE  := libwattsink.so.$(VERSION)
# install replaces a file instead of writing into it, so programs that run go on. Everybody can read what it installs,
# whatever the umask and the modes in the source tree are.
PUT     := install -m 644
RUNS    := install -m 755
install: all
	umask 022 && mkdir -p "$(INST)/bin" "$(INST)/include" "$(INST)/lib/wattsink" "$(LIB)/pkgconfig" "$(INST)/share/man/man1" \
	    "$(INST)/share/wattsink/watch" "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(DOCDIR)" "$(DESTDIR)$(GUIDEDIR)/docs/theory"
	$(RUNS) $(BUILD)/wattsink $(wildcard $(BUILD)/wattsink-mpi) "$(INST)/bin/"
	$(PUT) include/*.h "$(INST)/include/"
	$(PUT) $(BUILD)/libwattsink.a "$(LIB)/"
	$(RUNS) $(BUILD)/libwattsink.so "$(LIB)/$(SOFILE)"
	ln -sf $(SOFILE) "$(LIB)/libwattsink.so.0"
	ln -sf libwattsink.so.0 "$(LIB)/libwattsink.so"$(if $(DESTDIR),, && { ldconfig 2>/dev/null || :; })
	$(RUNS) $(BUILD)/twin/libnvidia-ml.so.1 "$(INST)/lib/wattsink/"
	ln -sf libnvidia-ml.so.1 "$(INST)/lib/wattsink/libnvidia-ml.so"
	umask 022 && printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'Name: wattsink' 'Description: GPU-server power and thermal simulator' \
	    'Version: $(VERSION)' 'Cflags: -I"$${prefix}/include"' 'Libs: -L"$${libdir}" -lwattsink' \
	    'Requires.private: $(PKGS)' 'Libs.private: -lm' > "$(LIB)/pkgconfig/wattsink.pc"
	$(PUT) $(BUILD)/man/*.1 "$(INST)/share/man/man1/"
	sed 's|PREFIX/share/doc/wattsink/examples|$(DOCDIR)/examples|; s|PREFIX/share/doc/wattsink/docs|$(GUIDEDIR)/docs|; s|PREFIX/|$(PREFIX)/|' \
	    $(BUILD)/man/wattsink.1 > "$(INST)/share/man/man1/wattsink.1"
	$(PUT) completions/wattsink.bash "$(DESTDIR)$(BASHDIR)/wattsink"
	$(PUT) completions/_wattsink "$(DESTDIR)$(ZSHDIR)/"
	cp -R parts plots schema scenarios "$(INST)/share/wattsink/"
	$(PUT) extras/watch/* "$(INST)/share/wattsink/watch/"
	$(if $(wildcard $(WEB)/wattsink.html),$(PUT) $(WEB)/wattsink.html "$(INST)/share/wattsink/")
	.ci/installed renew "$(INST)/share/wattsink" $(if $(wildcard $(WEB)/wattsink.html),wattsink.html)
	cp -R docs/examples "$(DESTDIR)$(DOCDIR)/"
	chmod -R u=rwX,go=rX "$(INST)/share/wattsink" "$(DESTDIR)$(DOCDIR)/examples"
	for f in $(GUIDES); do $(PUT) $$f "$(DESTDIR)$(GUIDEDIR)/$$f" || exit 1; done
uninstall:
	rm -f "$(INST)/bin/wattsink" "$(INST)/bin/wattsink-mpi" "$(INST)"/include/wattsink*.h "$(LIB)/libwattsink.a" "$(LIB)/libwattsink.so" \
	    "$(LIB)"/libwattsink.so.* "$(LIB)/pkgconfig/wattsink.pc" "$(INST)/share/man/man1/wattsink.1" \
	    "$(INST)/share/man/man1"/wattsink-*.1 "$(DESTDIR)$(BASHDIR)/wattsink" "$(DESTDIR)$(ZSHDIR)/_wattsink"
	.ci/installed remove "$(INST)/share/wattsink"
	rm -rf "$(INST)/lib/wattsink" "$(DESTDIR)$(DOCDIR)" "$(DESTDIR)$(GUIDEDIR)/docs"

# Debian packages are built in a copy of the tree. deb-check builds them twice and compares the bytes.
deb:
	@rm -rf build/deb && ./tests/deb/build.sh build/deb
	@ls build/deb/*.deb
deb-check:
	@./tests/run tests/deb/reproducible.sh

clean:
	rm -rf build

-include $(NVMLOBJS:.o=.d) $(LIBOBJS:.o=.d) $(WORDOBJS:.o=.d) $(CLIOBJS:.o=.d) $(SUPPORT:.o=.d) $(TESTBIN:=.d) $(wildcard $(BUILD)/obj/tests/fuzz/*.d)
