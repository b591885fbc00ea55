# SPDX-License-Identifier: GPL-3.0-or-later
# make web: the page in the browser, build/web/wattsink.html (one file) and build/web/site/ (for any host). Needs Debian's
# emscripten. Debian's emcc finds its JavaScript tools in Debian's folder only.
WEB      := $(BUILD)/web
WEBCLI   := cli/new.c cli/steady.c $(wildcard cli/kit/*.c cli/calibrate/*.c)
WEBC     := $(filter-out sim/io/kinds_told.c sim/results/read.c,$(SIM)) $(MODELS) $(filter-out words/mo.c,$(WORDS)) $(wildcard draw/*.c) $(WEBCLI) twin/identity.c web/engine.c web/limits.c web/catalogue.c web/libc.c
WEBOBJS  := $(patsubst %.c,$(WEB)/obj/%.o,$(WEBC)) $(WEB)/obj/registry.o
EMCC     := NODE_PATH=/usr/share/nodejs emcc
# Instructions that every browser of 2023 has: conversions that saturate, sign extension, copies of memory.
WEBFLAGS := -Oz -mnontrapping-fptoint -msign-ext -mbulk-memory
WEBCC    := $(EMCC) -DWSK_PAGE -I. -Iinclude -I$(WEB)/deps/include -DWSK_SHARE_DIR='"/share"' $(STD) $(WEBFLAGS) -fno-math-errno -ffp-contract=off \
            $(WARN) -Wno-unknown-pragmas -Wno-unused-function -MMD -MP
# The functions that JavaScript calls are those of engine.c with the prefix wsk_web_.
WEBCALLS  = $(shell sed -n 's/.*[ *]\(wsk_web_[a-z_]*\)(.*);$$/_\1/p' web/engine.c web/limits.c web/catalogue.c | tr "\n" ,)_malloc,_free

$(WEB)/deps/libdeps.a: web/sources.sh web/sax.c
	$(Q)rm -f $@; NODE_PATH=/usr/share/nodejs WEBFLAGS="$(WEBFLAGS)" sh web/sources.sh $(abspath $(WEB)/deps)
$(WEB)/obj/%.o: %.c $(WEB)/deps/libdeps.a
	@mkdir -p $(@D)
	$(call say,EMCC)
	$(Q)$(WEBCC) -MF $@.d -c -o $@ $<
$(WEB)/obj/registry.o: $(BUILD)/registry.c $(WEB)/deps/libdeps.a
	@mkdir -p $(@D)
	$(Q)$(WEBCC) -c -o $@ $<
$(WEB)/engine.js: $(WEBOBJS)
	$(call say,EMCC)
	$(Q)$(EMCC) $(WEBFLAGS) $^ $(WEB)/deps/libdeps.a -o $@ --no-entry -s MODULARIZE=1 -s EXPORT_NAME=wattsink -s ENVIRONMENT=worker \
	    -s ALLOW_MEMORY_GROWTH=1 -s TOTAL_STACK=4194304 -s DYNAMIC_EXECUTION=0 -s INCOMING_MODULE_JS_API='["instantiateWasm","wasmBinary","preRun","print","printErr","stdout","stderr","stdin","noInitialRun"]' \
	    -s EXPORTED_FUNCTIONS=$(WEBCALLS) -s EXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8
	$(Q)wasm-opt -Oz --converge --enable-nontrapping-float-to-int --enable-sign-ext --enable-bulk-memory $(@:.js=.wasm) -o $(@:.js=.wasm) # smaller by 2 % than emcc leaves it
$(WEB)/wattsink.html: $(WEB)/engine.js $(BUILD)/po/ja.mo $(wildcard web/*.js web/*.mjs web/*.css web/*.html) $(wildcard parts/*/*.xml)
	$(Q)NODE_PATH=/usr/share/nodejs node --no-experimental-fetch web/build.mjs $(WEB) $(BUILD)/po/ja.mo
web: $(WEB)/wattsink.html

# ---- checks of the page: TypeScript and axe-core, for development only, from npm; Debian's chromium ----
$(WEB)/npm/node_modules: web/package.json web/package-lock.json
	$(call say,NPM)
	@mkdir -p $(@D) && cp $^ $(@D)/
	$(Q)cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch node_modules
web-types: $(WEB)/npm/node_modules
	$(Q)node $</typescript/bin/tsc -p web/tsconfig.json --typeRoots $</@types
# All checks, or some: make web-check PAGE="numbers:own-card actions:390-dark". Without npm there is no axe-core.
web-check: all web $(if $(shell command -v npm 2>/dev/null),$(WEB)/npm/node_modules)
	$(Q)WATTSINK=$(abspath $(BUILD))/wattsink node web/check/all.mjs $(BUILD) $(PAGE)
.PHONY: web web-types web-check
-include $(WEBOBJS:%=%.d)
