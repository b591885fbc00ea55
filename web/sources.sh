#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh DIR: builds libxml2, GSL and json-c for WebAssembly from Debian's source packages, into DIR/libdeps.a with
# headers in DIR/include. apt gets a list of sources made from the system's, so that no host is written down here and
# the system's own lists stay as they are. Only what the engine calls is built. Flags for emcc come in $WEBFLAGS.
set -eu
dir=$1 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir/lists/partial" "$dir/etc" "$dir/include/gsl" "$dir/include/json-c" "$dir/o"
cd "$dir"
say() { echo "  WEB  $1"; }

if ! [ -e unpacked ]; then
    say "sources of libxml2, gsl, json-c"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"etc/${list##*/}"
    done
    [ -s /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >etc/main.list
    apt() {
        apt-get -q -o Acquire::Retries=5 -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/etc" \
            -o Dir::State::lists="$dir/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= "$@" >apt.log 2>&1 || {
            cat apt.log >&2
            exit 1
        }
    }
    apt update
    apt source --download-only libxml2 gsl json-c
    for name in libxml2 gsl json-c; do
        mkdir -p $name && tar xf ${name}_*.orig.tar.* -C $name --strip-components=1
    done
    touch unpacked
fi
if ! [ -e libdeps.a ]; then
    say "libxml2, gsl, json-c"
    # each FOLDER FLAGS FILE...: compiles these C files of the folder, as many at a time as there are cores.
    each() {
        folder=$1 flags=$2
        shift 2
        printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} sh -c 'emcc $1 $2 -c "$3/$4.c" -o "o/$3-$(echo "$4" | tr / -).o"' each \
            "$WEBFLAGS" "$flags" "$folder" {}
    }
    # The results that libxml2's configuration would find for emscripten's C library, with its parser and tree alone.
    version=$(sed -n 's/^m4_define(\[M[A-Z]*_VERSION\], *\([0-9]*\))/\1/p' libxml2/configure.ac | paste -sd ' ' -)
    # shellcheck disable=SC2086  # three words
    set -- $version
    sed -e "s/@VERSION@/$1.$2.$3/; s/@LIBXML_VERSION_NUMBER@/$(($1 * 10000 + $2 * 100 + $3))/; s/@LIBXML_VERSION_EXTRA@//" \
        -e 's/@WITH_TREE@/1/; s/@WITH_[A-Z0-9_]*@/0/; s/@MODULE_EXTENSION@//' libxml2/include/libxml/xmlversion.h.in >libxml2/include/libxml/xmlversion.h
    for has in ATTRIBUTE_DESTRUCTOR CTYPE_H ERRNO_H FCNTL_H FLOAT_H FPRINTF GETTIMEOFDAY INTTYPES_H LIMITS_H LOCALTIME MALLOC_H MATH_H PRINTF RAND \
        RAND_R SNPRINTF SPRINTF SRAND SSCANF STAT STDARG_H STDINT_H STDLIB_H STRFTIME STRINGS_H STRING_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H TIME \
        TIME_H UNISTD_H VA_COPY VFPRINTF VSNPRINTF VSPRINTF; do
        echo "#define HAVE_$has 1"
    done >libxml2/config.h
    printf '#define %s\n' 'ATTRIBUTE_DESTRUCTOR __attribute__((destructor))' 'STDC_HEADERS 1' "VERSION \"$1.$2.$3\"" >>libxml2/config.h
    each libxml2 "-DHAVE_CONFIG_H -Ilibxml2 -Ilibxml2/include" buf chvalid dict encoding entities error globals hash list parser parserInternals \
        threads tree uri valid xmlIO xmlmemory xmlstring xmlsave
    for h in gsl/gsl_*.h gsl/*/gsl_*.h; do ln -sf "../../$h" include/gsl/; done
    printf '#define %s\n' 'RETURN_IF_NULL(x) if (!x) return' 'HAVE_DECL_ISFINITE 1' 'HAVE_DECL_ISNAN 1' 'HAVE_DECL_ISINF 1' >gsl/config.h
    each gsl "-Igsl -Iinclude" rng/rng rng/inline rng/mt qrng/qrng qrng/inline qrng/sobol roots/brent roots/fsolver cdf/gaussinv sys/infnan \
        sys/fdiv err/error err/stream err/strerror
    # The results that json-c's configuration would find for emscripten's C library.
    for has in STDARG_H STDLIB_H STRINGS_H STRING_H UNISTD_H SYS_TYPES_H FCNTL_H INTTYPES_H STDINT_H LIMITS_H LOCALE_H SNPRINTF \
        VSNPRINTF VASPRINTF STRDUP STRNCASECMP STRTOLL STRTOULL STRERROR OPEN DECL_INFINITY DECL_ISINF DECL_ISNAN DECL_NAN \
        USELOCALE SETLOCALE; do
        echo "#define HAVE_$has 1"
    done >json-c/config.h
    printf '#define %s 1\n' STDC_HEADERS JSON_C_HAVE_INTTYPES_H JSON_C_HAVE_STDINT_H >>json-c/config.h
    printf '#define SIZEOF_%s\n' 'INT 4' 'INT64_T 8' 'LONG 4' 'LONG_LONG 8' 'SIZE_T 4' 'SSIZE_T 4' >>json-c/config.h
    cp json-c/config.h json-c/json_config.h
    sed '/@/d' json-c/json.h.cmakein >json-c/json.h
    each json-c "-D_GNU_SOURCE -Ijson-c" arraylist debug json_object json_tokener json_util json_object_iterator linkhash printbuf random_seed \
        strerror_override
    for h in json-c/*.h; do ln -sf "../../$h" include/json-c/; done
    ln -sfn ../libxml2/include/libxml include/libxml
    # shellcheck disable=SC2086  # a list of flags
    emcc $WEBFLAGS -Iinclude -c "$here/sax.c" -o o/sax.o
    rm -f libdeps.new
    emar rc libdeps.new o/*.o
    mv libdeps.new libdeps.a
fi
