# SPDX-License-Identifier: Apache-2.0
# smdbg-tui. Two targets do everything on a fresh Debian 12:
#   make demo    install what is missing, build, show the dashboard on a running training (DEMO=dead_relu: with a fault)
#   make check   install what is missing, build with gcc and clang, pass every test, also under sanitizers,
#                and say how long each stage took (JOBS=N: so many at a time; unless given, one more than cores, as some stages wait for a terminal)
# Others: make (build only), unit, test-FOLDER, lang, lang-NAME, machine, screens, player, cluster, cluster-check, s3-check, hook-test, hook-check, faults, corpus,
#   includes, symbols, hardened, format, tidy, doc-check; bench, bench-hook, fuzz, doc, screenshots, install, clean.

# The one list of packages: build, tests and fuzzing.
DEB_HOOK  = gcc make pkg-config libzstd-dev libprotobuf-c-dev protobuf-c-compiler libyajl-dev libpcre2-dev
DEB_BUILD = $(DEB_HOOK) libncurses-dev libreadline-dev libsqlite3-dev libyaml-dev libpng-dev zlib1g-dev libcurl4-openssl-dev libexpat1-dev
# for make release and make release-check
DEB_RELEASE = git xz-utils dpkg-dev debhelper dh-python lintian tcl ncurses-bin ncurses-term python3-venv
DEB_RELEASE_TEST = debootstrap autopkgtest piuparts qemu-user libc6-arm64-cross zsh fish
DEB_TEST  = abigail-tools libcmocka-dev openssl clang libclang-rt-14-dev clang-format clang-tidy python3-numpy

# The one version number.
VERSION := $(shell sed -n 's/^.define SMDBG_VERSION "\(.*\)"/\1/p' commands/session/version.h)

B      ?= build
ifeq ($(origin CC),default)
CC      = gcc
endif
SAN    ?=
OPT    ?= -O2 -g
# For the rooms where no time is spent, after OPT: the static program is to be small.
OPT_SMALL ?=
PREFIX ?= /usr/local
LIBDIR ?= lib
PYTHONDIR ?= share/smdbg-tui
PYTHON ?= /usr/bin/python3
HOOK_PYTHON ?= $(B)/hook-venv/bin/python

LIBS_READER = libzstd libprotobuf-c yajl yaml-0.1 libpcre2-8 sqlite3 libpng zlib
LIBS_TUI    = ncursesw readline

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual \
       -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wimplicit-fallthrough -Wold-style-definition \
       -Wredundant-decls -Werror
ifneq ($(SAN)$(SANFLAGS),)
SANFLAGS ?= -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT      = -O1 -g1 -fPIC
else
# What a hostile trial could still do after a mistake of ours ends the program instead.
HARD_C   = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fPIE
HARD_LD  = -Wl,-z,relro,-z,now,-z,noexecstack
endif
CPPFLAGS += -D_GNU_SOURCE -I. -I$(B)/gen $(if $(STATIC),-DSMDBG_STATIC)
CFLAGS   += -std=c11 $(OPT) $(OPT_ROOM) $(HARD_C) $(WARN) $(SANFLAGS)
LDFLAGS  += $(HARD_LD) $(SANFLAGS)
# s3://, if its two libraries are there; without them an address says what is missing.
WITH_S3    ?= $(shell pkg-config --exists libcurl expat && echo 1)
LIBS_S3     = $(if $(WITH_S3),libcurl expat)
READER_LIBS = $(shell pkg-config --libs $(LIBS_READER) $(LIBS_S3)) -lm -pthread
TUI_LIBS    = $(shell pkg-config --libs $(LIBS_TUI))

# ---- what is built: one static library a layer, found by folder ----
PROTO    = $(wildcard reader/format/proto/*.proto)
PROTO_C  = $(PROTO:reader/format/proto/%.proto=$(B)/gen/proto/%.pb-c.c)
PROTO_H  = $(PROTO_C:.c=.h)
SRC_base     = $(wildcard reader/base/*.c)
SRC_reader   = $(filter-out reader/base/% $(NO_S3),$(wildcard reader/*.c reader/*/*.c))
# what of s3:// needs them; no_s3.c stands for it
NO_S3        = $(if $(WITH_S3),,$(filter-out $(addprefix reader/s3/,no_s3.c address.c bucket_region.c source_path.c sha256.c sigv4.c aws_files.c list_turn.c disk_cache.c),$(wildcard reader/s3/*.c)))
$(B)/obj/reader/s3/no_s3.o $(B)/obj/tests/fuzz/fuzz_bucket.o: CPPFLAGS += $(if $(WITH_S3),-DSMDBG_S3)
SRC_plot     = $(wildcard plot/*.c plot/*/*.c)
SRC_rules    = $(wildcard rules/*.c rules/*/*.c)
SRC_commands = $(wildcard commands/*.c commands/*/*.c)
SRC_tui      = $(filter-out tui/main.c,$(wildcard tui/*.c tui/*/*.c))
FUZZ         = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH        = $(patsubst tests/bench/bench_%.c,%,$(wildcard tests/bench/bench_*.c))
LAYERS       = base plot reader rules commands tui

LIBS_OF_base     = $(B)/libbase.a
LIBS_OF_plot     = $(B)/libplot.a $(LIBS_OF_base)
LIBS_OF_reader   = $(B)/libreader.a $(LIBS_OF_base)
LIBS_OF_rules    = $(B)/librules.a $(LIBS_OF_reader)
LIBS_OF_commands = $(B)/libcommands.a $(B)/librules.a $(B)/libplot.a $(LIBS_OF_reader)
LIBS_OF_tui      = $(B)/libtui.a $(LIBS_OF_commands)

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
SMALL_ROOMS = commands tui rules/builtin rules/profiler rules/speed rules/verdict reader/checkpoints reader/databases reader/hook reader/s3 reader/sampler reader/wandb
$(foreach r,$(SMALL_ROOMS),$(eval $(B)/obj/$(r)/%.o: OPT_ROOM = $$(OPT_SMALL)))

# What a test is linked with. With sanitizers that is one shared library of its room and those below: to link all of them into each
# of 300 programs took longer than to compile them. Without sanitizers it says whether it has started a thread (check-threads).
ifneq ($(SAN)$(SANFLAGS),)
rooms = $(B)/tests/lib$(1).so
IN_TEST = -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../tests'
$(B)/tests/lib%.so:
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) -shared $(SANFLAGS) -o $@ -Wl,--whole-archive $^ -Wl,--no-whole-archive $(READER_LIBS) $(if $(findstring tui,$*),$(TUI_LIBS))
$(foreach l,$(LAYERS),$(eval $(B)/tests/lib$(l).so: $(LIBS_OF_$(l))))
else
rooms = $(LIBS_OF_$(1))
IN_TEST = $(B)/obj/tests/threads_mark.o
endif

.PHONY: abi dist deps-git release release-check install-hook all program demo check check-stages deps deps-hook deps-test tests unit test-threads includes symbols hardened format tidy lang machine screens cluster cluster-check s3-check faults clean bench bench-peers bench-verdicts bench-build fuzz fuzz-run corpus doc doc-check screenshots hook hook-test hook-check bench-hook install $(LAYERS:%=lib-%) $(LAYERS:%=test-%)
.PRECIOUS: $(B)/obj/%.o $(B)/tidy/% $(foreach l,$(LAYERS),$(B)/tests/$(l)/%) $(B)/gen/proto/%.pb-c.c $(B)/gen/proto/%.pb-c.h $(B)/fuzz/replay_% $(B)/fuzz/% $(B)/bench/%
.DELETE_ON_ERROR:

all: program
program: $(B)/smdbg-tui

$(B)/obj/%.o: %.c | $(PROTO_H)
	@mkdir -p $(@D)
	@echo "  CC  $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/gen/proto/%.pb-c.c $(B)/gen/proto/%.pb-c.h: reader/format/proto/%.proto
	@mkdir -p $(B)/gen/proto
	protoc-c --proto_path=reader/format/proto --c_out=$(B)/gen/proto $<

# generated code is not ours to warn about
$(B)/obj/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	@echo "  CC  $<"; $(CC) $(CPPFLAGS) $(filter-out $(WARN),$(CFLAGS)) -w -c -o $@ $<

$(B)/libreader.a: $(PROTO_C:$(B)/gen/%.c=$(B)/obj/gen/%.o)
define LAYER
$(B)/lib$(1).a: $$(call obj,$$(SRC_$(1)))
	@rm -f $$@
	@echo "  AR  $$@"; $$(AR) rcs $$@ $$^
lib-$(1): $(B)/lib$(1).a
TESTS_$(1) = $$(patsubst tests/%.c,$(B)/tests/%,$$(wildcard tests/$(1)/test_*.c))
test-$(1): $$(TESTS_$(1):%=%.ran)
$(B)/tests/$(1)/%: $(B)/obj/tests/$(1)/%.o $$(call rooms,$(1)) $$(filter %.o,$$(IN_TEST))
	@mkdir -p $$(@D)
	@echo "  LD  $$@"; $$(CC) $$(LDFLAGS) $$(filter-out %.o,$$(IN_TEST)) -o $$@ $$^ $$(READER_LIBS) $$(if $$(filter tui,$(1)),$$(TUI_LIBS)) -lcmocka
endef
$(foreach l,$(LAYERS),$(eval $(call LAYER,$(l))))

$(B)/tests/%.ran: $(B)/tests/%
	$<
	@touch $@
$(TESTS_tui:%=%.ran): $(B)/smdbg-tui
# scripted loads
$(B)/tests/rules/test_speed $(B)/tests/rules/test_profiler_rules $(B)/tests/commands/test_profile_commands: $(B)/obj/tests/bench/profile_tree.o
# stands for NVIDIA's library
$(B)/tests/reader/test_sampler_nvidia.ran: $(B)/tests/reader/fake_nvml.so
# as in a program that is linked statically
$(B)/tests/reader/test_sampler_static.ran: $(B)/tests/reader/fake_nvml.so
$(B)/obj/static/nvml.o: reader/sampler/nvml.c
	@mkdir -p $(@D)
	@echo "  CC  $< (static)"; $(CC) $(CPPFLAGS) -DSMDBG_STATIC $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/tests/reader/test_sampler_static: $(B)/obj/tests/reader/test_sampler_static.o $(B)/obj/static/nvml.o $(LIBS_OF_reader)
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -lcmocka
$(B)/tests/reader/fake_nvml.so: tests/reader/fake_nvml.c
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) -std=c11 $(WARN) -fPIC -shared -o $@ $<
unit: $(LAYERS:%=test-%)
# Those that started threads when they ran in the build MARKED (tests/threads_mark.c).
MARKED ?= build
THREADED = $(patsubst $(MARKED)/%.threads,$(B)/%.ran,$(wildcard $(patsubst %,$(MARKED)/tests/%/*.threads,base reader commands)))
test-threads: $(THREADED)
	@[ -n "$(THREADED)" ] || { echo "no test of $(MARKED) has started a thread: make unit first"; exit 1; }
# every program of the tests, built and not run
tests: $(foreach l,$(LAYERS),$(TESTS_$(l))) bench-build $(B)/faults $(FUZZ:%=$(B)/fuzz/replay_%) $(B)/gendoc

$(B)/smdbg-tui: $(call obj,tui/main.c) $(LIBS_OF_tui)
	@echo "  LD  $@"; $(CC) $(if $(HARD_LD),-pie) $(LDFLAGS) -o $@ $^ $(READER_LIBS) $(TUI_LIBS)

# ---- the two commands ----
deps:
	@sh tests/packages.sh $(DEB_BUILD)
deps-hook:
	@sh tests/packages.sh $(DEB_HOOK)
deps-test:
	@sh tests/packages.sh $(DEB_BUILD) $(DEB_TEST)

demo: deps
	@$(MAKE) --no-print-directory program
	@$(B)/smdbg-tui --demo $(DEMO)

# Stages, and before each those that it needs. The first ones build everything, so that what does not compile fails
# there: with gcc, then with clang and the sanitizers. The rest are tests, several at a time.
JOBS   ?= $(shell expr $$(nproc) + 1)
GCC     = $(MAKE) --no-print-directory -Otarget CC=gcc B=$(B)
SANITY  = $(MAKE) --no-print-directory -Otarget CC=clang SAN=1 B=$(B)/san
THREADS = $(MAKE) --no-print-directory -Otarget CC=clang SANFLAGS='-fsanitize=thread -fno-omit-frame-pointer' B=$(B)/tsan
STAGES  =
define STAGE
STAGES += check-$(1)
.PHONY: check-$(1)
check-$(1): $(2:%=check-%)
	+@bash tests/stage.sh $(B)/check $(1) $(3)
endef
stage = $(eval $(call STAGE,$(1),$(2),$(3)))
$(call stage,format,,$$(GCC) format)
$(call stage,build-gcc,,$$(GCC) program tests)
$(call stage,rooms,build-gcc,$$(GCC) includes symbols hardened doc-check)
$(call stage,build-clang,build-gcc,$$(SANITY) program tests)
$(call stage,unit-sanitized,build-clang,$$(SANITY) unit)
$(call stage,threads,unit,$$(THREADS) MARKED=$$(B) test-threads)
$(call stage,faults,build-clang,$$(SANITY) faults)
$(call stage,lang-sanitized,build-clang,env ASAN_OPTIONS=detect_leaks=0 $$(SANITY) lang)
$(call stage,player,build-clang,$$(SANITY) player)
$(call stage,corpus,build-clang,$$(SANITY) corpus)
$(call stage,unit,build-clang,$$(GCC) unit)
$(call stage,lang,build-clang,$$(GCC) lang)
$(call stage,machine,build-clang,$$(GCC) machine)
$(call stage,screens,build-clang,$$(GCC) screens)
$(call stage,cluster,build-clang,$$(GCC) cluster)
$(call stage,hook,build-clang,$$(GCC) hook-test abi)
$(call stage,tidy,build-clang,$$(GCC) tidy)
check-stages: $(STAGES)

# -j unless the caller has said it; a stage that fails keeps only those from running that need it
check: deps-test
	@rm -rf $(B)/check && mkdir -p $(B)/check
	+@sh tests/in_memory.sh $(MAKE) --no-print-directory -k $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS)) check-stages; \
	  status=$$?; bash tests/stage.sh $(B)/check; exit $$status
	@echo 'all tests passed'

# Rooms include and call only those below, and no name exists twice (tests/rooms.py).
includes: program $(LAYERS:%=lib-%)
	@$(PYTHON) -B tests/rooms.py includes $(B)
symbols: $(LAYERS:%=lib-%)
	@$(PYTHON) -B tests/rooms.py names $(LAYERS:%=$(B)/lib%.a)
# The program is linked with what limits a mistake: PIE, read-only relocations, stack protector, checked string functions.
hardened: program
	@sh tests/hardened.sh $(B)/smdbg-tui
format:
	@find reader plot rules commands tui tests doc screenshots -name '*.[ch]' | xargs clang-format --dry-run -Werror
# Checked again when the object is: its sources, or those that they include, have changed.
TIDY = $(patsubst %.c,$(B)/tidy/%,$(foreach l,$(LAYERS),$(SRC_$(l))) tui/main.c $(wildcard tests/*.c tests/*/*.c doc/*.c screenshots/*.c))
tidy: $(TIDY)
$(B)/tidy/%: $(B)/obj/%.o .clang-tidy tests/.clang-tidy
	@mkdir -p $(@D)
	@echo "  TIDY $*.c"; said=$$(clang-tidy --quiet $*.c -- -std=c11 $(CPPFLAGS) 2>&1) || { echo "$$said"; exit 1; }
	@touch $@

lang: $(patsubst tests/lang/%.t,lang-%,$(wildcard tests/lang/*.t))
# Samples are as old as recordings are, however new the checkout is: "ended" and "stalled" depend on it.
.PHONY: aged
aged:
	@find tests/samples tests/trials -newermt '26 hours ago' -exec touch -h -d '2 days ago' {} +
lang-%: program aged
	@SMDBG=$(B)/smdbg-tui sh tests/lang/run.sh tests/lang/$*.t
screens: program aged
	@if [ -f tests/screens/run.sh ]; then sh tests/screens/run.sh $(B)/smdbg-tui; fi

# Random sessions on a pseudo-terminal (tests/player/play.py), after those that once failed.
PLAYER_SESSIONS ?= 200
PLAYER_SEED     ?= 1
.PHONY: player
player: program aged
	@$(PYTHON) -B tests/player/play.py $(B)/smdbg-tui --cases tests/player/cases.txt
	@$(PYTHON) -B tests/player/escapes.py $(B)/smdbg-tui
	@$(PYTHON) -B tests/player/play.py $(B)/smdbg-tui --sessions $(PLAYER_SESSIONS) --seed $(PLAYER_SEED) --keep-going

machine: program aged
	@$(PYTHON) -B tests/machine/run.py $(B)/smdbg-tui

cluster: program
	@sh tests/cluster/scripts.sh $(B)/smdbg-tui

# Trials in buckets of real servers, which it installs and starts: needs the network the first time (tests/s3/check.py says what
# it looks at; S3_PARTS: some of it).
s3-check: deps program $(B)/bench/gen_trial
	@sh tests/packages.sh curl openssl
	@sh tests/s3/servers.sh install $(B)/s3
	@trap 'sh tests/s3/servers.sh stop $(B)/s3' EXIT; trap 'exit 1' INT TERM HUP; sh tests/s3/servers.sh start $(B)/s3 && \
	  $(PYTHON) -B tests/s3/check.py $(B)/smdbg-tui $(B)/bench/gen_trial $${S3_PORT:-9300} $(B)/s3/run $(S3_PARTS)

# The jobs of doc/cluster on a Slurm of this machine, which it starts (needs root), with runs in a bucket of a real server.
cluster-check: export S3_PORT ?= 9500
cluster-check: deps program
	@sh tests/packages.sh slurm-wlm munge curl
	@sh tests/s3/servers.sh install $(B)/s3 && sh tests/s3/servers.sh start $(B)/s3 && sh tests/cluster/slurm.sh start $(B)/slurm
	@SLURM_CONF=$(CURDIR)/$(B)/slurm/slurm.conf sh tests/cluster/check.sh $(B)/smdbg-tui $(B)/slurm $(B)/s3/run/versitygw $$S3_PORT; \
	  status=$$?; sh tests/cluster/slurm.sh stop $(B)/slurm; sh tests/s3/servers.sh stop $(B)/s3; exit $$status

# ---- slow suites ----
$(B)/faults: $(B)/obj/tests/faults.o $(LIBS_OF_reader)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS)
faults: $(B)/faults
	@$<

$(B)/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/replay.o $(call rooms,commands)
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) $(filter-out %.o,$(IN_TEST)) -o $@ $^ $(READER_LIBS)
corpus: $(FUZZ:%=$(B)/fuzz/replay_%)
	@for f in $(FUZZ); do $(B)/fuzz/replay_$$f tests/fuzz/corpus/$$f || exit 1; done

FUZZ_SECONDS ?= 60
fuzz: deps-test
	@$(MAKE) --no-print-directory CC=clang B=$(B)/fuzzing SANFLAGS='-fsanitize=address,undefined,fuzzer-no-link' fuzz-run
fuzz-run: $(FUZZ:%=$(B)/fuzz/%)
	@for f in $(FUZZ); do mkdir -p $(B)/corpus/$$f; \
	  $(B)/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) $(B)/corpus/$$f tests/fuzz/corpus/$$f || exit 1; done
$(B)/fuzz/%: $(B)/obj/tests/fuzz/fuzz_%.o $(LIBS_OF_commands)
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) $(SANFLAGS) -fsanitize=fuzzer -o $@ $^ $(READER_LIBS)

# Figures beside their floors. The generated trials are kept: BENCH_BYTES of payload in steps of 16 MiB, half as
# much in steps of 64 MiB.
BENCH_BYTES  ?= 2147483648
BENCH_STEPS  = $(B)/bench-data/steps
BENCH_PAYLOAD = $(B)/bench-data/payload_$(BENCH_BYTES)
BENCH_LARGE  = $(B)/bench-data/large_$(BENCH_BYTES)
$(BENCH_STEPS): GEN = 10000 50 16
$(BENCH_PAYLOAD): GEN = $(shell expr $(BENCH_BYTES) / 16777216) 1 4194304
$(BENCH_LARGE): GEN = $(shell expr $(BENCH_BYTES) / 134217728) 1 16777216
$(BENCH_STEPS) $(BENCH_PAYLOAD) $(BENCH_LARGE): | $(B)/bench/gen_trial
	@mkdir -p $(@D); rm -rf $@.new
	@echo "  GEN $@"; $(B)/bench/gen_trial $@.new $(GEN) && mv $@.new $@
$(B)/bench/%: $(B)/obj/tests/bench/%.o $(call obj,tests/bench/bench.c tests/bench/generate.c tests/bench/labelled.c tests/bench/profile_tree.c tests/bench/pty.c tests/bench/scalars.c tests/bench/sum.c) $(call rooms,commands)
	@mkdir -p $(@D)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) $(filter-out %.o,$(IN_TEST)) -o $@ $^ $(READER_LIBS)
# Built by every check, run by hand: figures are no tests.
bench-build: $(BENCH:%=$(B)/bench/bench_%) $(B)/bench/gen_trial $(B)/bench/gen_profile $(B)/bench/gen_scalars $(B)/bench/peer_screen
bench: deps program $(BENCH:%=$(B)/bench/bench_%) $(BENCH_STEPS) $(BENCH_PAYLOAD) $(BENCH_LARGE)
	@BENCH_PROGRAM=$(B)/smdbg-tui BENCH_STEPS=$(BENCH_STEPS) BENCH_PAYLOAD=$(BENCH_PAYLOAD) \
	  BENCH_LARGE=$(BENCH_LARGE) BENCH_SCRATCH=$(B)/bench-data/scratch \
	  sh tests/bench/run.sh $(BENCH:%=$(B)/bench/bench_%)
	@$(PYTHON) tests/bench/hook_profile_cost.py
# What smdbg.attach costs a training (tests/bench/attach_cost.py); with torch, and smdebug's hook where it is installed.
bench-hook: hook $(HOOK_PYTHON)
	@$(HOOK_PYTHON) -B tests/bench/attach_cost.py $(B)
# The program beside TensorBoard's data server and wandb leet, installed from PyPI (tests/bench/peers.sh).
bench-peers: program $(B)/bench/gen_scalars $(B)/bench/peer_screen $(B)/bench/bench_scalars
	@B=$(B) sh tests/bench/peers.sh
# How often the verdict is right. TRAININGS: folders of NAME beside NAME.expected.json, instead of its own trainings.
bench-verdicts: deps $(B)/bench/bench_verdicts
	@mkdir -p $(B)/bench-data/verdicts; \
	  BENCH_SCRATCH=$(B)/bench-data/verdicts $(B)/bench/bench_verdicts $(TRAININGS)

# ---- libsmdbg-hook for training programs: the reader's formats and the hook, with only smdbg_* to be seen ----
HOOK_SRC = $(filter-out reader/hook/replay.c reader/source/source_packed.c reader/source/unpack_gzip.c,$(filter reader/format/% reader/source/% reader/tensor/% reader/hook/%,$(SRC_reader)))
HOOK_OBJ = $(patsubst %.c,$(B)/pic/%.o,$(SRC_base) $(HOOK_SRC) $(PROTO_C:$(B)/%=%))
HOOK_LIBS = libzstd libprotobuf-c yajl libpcre2-8
$(B)/pic/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(filter-out $(WARN),$(CFLAGS)) -w -fPIC -fvisibility=hidden -c -o $@ $<
$(B)/pic/%.o: %.c | $(PROTO_H)
	@mkdir -p $(@D)
	@echo "  PIC $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -ffunction-sections -MMD -MP -c -o $@ $<
HOOK_LINK = $(shell pkg-config --libs $(HOOK_LIBS))
HOOK_MAP  = reader/hook/smdbg-hook.map
$(B)/libsmdbg-hook.so.0: $(HOOK_OBJ) $(HOOK_MAP)
	@echo "  LD  $@"; $(CC) -shared $(LDFLAGS) -Wl,-soname,libsmdbg-hook.so.0 -Wl,--gc-sections -Wl,--version-script=$(HOOK_MAP) \
	  -o $@ $(HOOK_OBJ) $(HOOK_LINK) -lm -pthread
	@ln -sf libsmdbg-hook.so.0 $(B)/libsmdbg-hook.so
$(B)/libsmdbg-hook.a: $(HOOK_OBJ)
	@echo "  AR  $@"; ld -r -o $(B)/pic/all.o $^ && objcopy --localize-hidden $(B)/pic/all.o && rm -f $@ && ar rcs $@ $(B)/pic/all.o
hook: $(B)/libsmdbg-hook.so.0 $(B)/libsmdbg-hook.a
hook-test: hook program $(B)/tests/reader/test_hook_crash
	@+sh tests/hook.sh $(B)
	@$(PYTHON) tests/hook.py $(B)
	@$(PYTHON) tests/attach/run.py $(B)
	@$(PYTHON) tests/hook_profile.py $(B)
	@SMDBG_KILLS=280 $(B)/tests/reader/test_hook_crash
# The library's interface is the one that was promised (reader/hook/smdbg-hook.abi).
abi: hook
	@sh tests/abi.sh $(B)/libsmdbg-hook.so.0
# The same and what needs a framework, with the frameworks as they install from PyPI today (HOOK_PYTHON: one that has them).
HOOK_FRAMEWORKS = numpy torch transformers accelerate lightning keras tensorflow-cpu tf_keras jax xgboost tensorboard
$(B)/hook-venv/bin/python:
	@$(PYTHON) -m venv $(B)/hook-venv.new && $(B)/hook-venv.new/bin/python -m pip install -q $(HOOK_FRAMEWORKS)
	@mv $(B)/hook-venv.new $(B)/hook-venv
hook-check: hook-test $(HOOK_PYTHON)
	@for t in tests/hook.py $(patsubst %,tests/attach/%.py,run steps outputs copies hostile devices processes frameworks); do \
	  echo "  $$t"; $(HOOK_PYTHON) -B $$t $(B) || exit 1; done
	@PYTHONPATH=reader/hook/python SMDBG_HOOK_LIBRARY=$(B)/libsmdbg-hook.so.0 $(HOOK_PYTHON) -B tests/attach/examples.py $(B)

# ---- pages made from the same tables as the code ----
$(B)/gendoc: $(call obj,doc/gen.c doc/completions.c) $(LIBS_OF_tui)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS) $(TUI_LIBS)
DOC_PAGES = commands settings functions rules
doc: $(B)/gendoc
	for p in $(DOC_PAGES); do $< $$p > doc/$$p.md || exit 1; done
	$< man > doc/smdbg-tui.1
	$< schema > doc/protocol.schema.json
	$< bash > doc/completions/smdbg-tui.bash
	$< zsh > doc/completions/_smdbg-tui
	$< fish > doc/completions/smdbg-tui.fish
doc-check: $(B)/gendoc
	@for p in $(DOC_PAGES); do $< $$p | diff -u doc/$$p.md - || exit 1; done
	@$< man | diff -u doc/smdbg-tui.1 -
	@$< schema | diff -u doc/protocol.schema.json -
	@$< bash | diff -u doc/completions/smdbg-tui.bash -
	@$< zsh | diff -u doc/completions/_smdbg-tui -
	@$< fish | diff -u doc/completions/smdbg-tui.fish -
	@bash tests/completions.sh doc/completions/smdbg-tui.bash
	@$(PYTHON) -B tests/paths.py doc/promises.md README.md

# ---- pictures for README.md: the same key scripts, saved as SVG and, where rsvg-convert is, as PNG ----
$(B)/record: $(call obj,screenshots/record.c) $(LIBS_OF_commands)
	@echo "  LD  $@"; $(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -lutil
screenshots: program $(B)/record
	@for k in screenshots/*.keys; do sh screenshots/make.sh $(B)/smdbg-tui $$k || exit 1; done
	@sh screenshots/live.sh $(B)/record $(B)/smdbg-tui

# Completions, manual pages and the program; the hook by itself needs no curses and no readline.
install: program install-hook
	install -D -m 755 $(B)/smdbg-tui $(DESTDIR)$(PREFIX)/bin/smdbg-tui
	install -D -m 644 doc/smdbg-tui.1 $(DESTDIR)$(PREFIX)/share/man/man1/smdbg-tui.1
	install -D -m 644 doc/completions/smdbg-tui.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/smdbg-tui
	install -D -m 644 doc/completions/_smdbg-tui $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_smdbg-tui
	install -D -m 644 doc/completions/smdbg-tui.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/smdbg-tui.fish
install-hook: hook
	install -D -m 644 doc/smdbg-hook.3 $(DESTDIR)$(PREFIX)/share/man/man3/smdbg-hook.3
	install -D -m 644 reader/hook/smdbg_hook.h $(DESTDIR)$(PREFIX)/include/smdbg_hook.h
	find reader/hook/python -name '*.py' -printf '%P\n' | while read f; do \
	  install -D -m 644 reader/hook/python/$$f $(DESTDIR)$(PREFIX)/$(PYTHONDIR)/$$f || exit 1; done
	install -D -m 644 $(B)/libsmdbg-hook.a $(DESTDIR)$(PREFIX)/$(LIBDIR)/libsmdbg-hook.a
	install -D -m 755 $(B)/libsmdbg-hook.so.0 $(DESTDIR)$(PREFIX)/$(LIBDIR)/libsmdbg-hook.so.0
	ln -sf libsmdbg-hook.so.0 $(DESTDIR)$(PREFIX)/$(LIBDIR)/libsmdbg-hook.so
	install -d $(DESTDIR)$(PREFIX)/$(LIBDIR)/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBDIR@|$(LIBDIR)|; s|@PYTHONDIR@|$(PYTHONDIR)|; s|@REQUIRES@|$(HOOK_LIBS)|' reader/hook/smdbg-hook.pc.in \
	  > $(DESTDIR)$(PREFIX)/$(LIBDIR)/pkgconfig/smdbg-hook.pc
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig    # so that programs find the library at once

# ---- what is given to others: source archive, static program, wheels, Debian packages (doc/releasing.md) ----
RELEASE = $(B)/release
DIST    = HEAD
dist: | deps-git
	@mkdir -p $(RELEASE)
	git archive --prefix=smdbg-tui-$(VERSION)/ $(DIST) | xz -9 -T1 > $(RELEASE)/smdbg-tui-$(VERSION).tar.xz
deps-git:
	@sh tests/packages.sh git xz-utils
release: dist
	@sh tests/packages.sh $(DEB_BUILD) $(DEB_RELEASE)
	@bash tests/release/release.sh $(RELEASE) $(VERSION)
# PARTS: only these parts of it (check.sh), of what has been built already
release-check: $(if $(PARTS),,release)
	@sh tests/packages.sh $(DEB_RELEASE_TEST)
	@bash tests/release/check.sh $(RELEASE) $(VERSION) $(PARTS)

clean:
	rm -rf build

-include $(shell find $(B)/obj $(B)/pic -name '*.d' 2>/dev/null)
