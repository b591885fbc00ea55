#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# one.sh N: compiles mutant N of $MUTATE/run/drawn and runs the tests that execute its line until one fails, then the
# short ones of them under the sanitizers, which notice a read beyond an array. Writes to $MUTATE/run/results/N "killed
# by TEST", "timeout in TEST" or "survived", or, for mutants that do not count, "invalid" (it does not compile) or "same
# code". Each test may take 120 s of CPU time, which does not depend on how busy the machine is.
set -u
id=$1
run=$MUTATE/run
[ "$(cat "$run"/results/* 2>/dev/null | grep -cE '^(killed|timeout|survived)')" -lt "$MUTANTS" ] || exit 0
IFS=$(printf '\t') read -r file line column length with text <<END
$(sed -n "${id}p" "$run/drawn")
END
work=$run/work.$id
mkdir -p "$work/tmp"
trap 'rm -rf "$work"' EXIT
ends() {
    echo "$*" >"$run/results/$id"
    case $1 in killed | timeout | survived) printf '%s\n' "$*: $file:$line: $text -> $with" ;; esac
    exit 0
}

# flags: compiler flags of the sanitizers, or none; libs: folder of the libraries that were built with these flags;
# known: folder of each test's object, and of an empty file NAME.passes for each test that passes on the unchanged
# source. The compiler reads the source from standard input, so that both objects contain the same file name.
flags='' libs=$BUILD known=$MUTATE/known
eval "compile() { $MUTATE_COMPILE \$flags -w -g0 -c -o \"\$@\"; }"
compile_mutant() { compile "$work/mutant.o" -x c - <"$work/mutant.c"; }
with=$with awk -v line="$line" -v column="$column" -v size="$length" '
    NR == line { $0 = substr($0, 1, column - 1) ENVIRON["with"] substr($0, column + size) } 1' "$file" >"$work/mutant.c"
compile_mutant 2>/dev/null || ends invalid
compile "$work/source.o" -x c - <"$file" || exit 1
! cmp -s "$work/mutant.o" "$work/source.o" || ends same code

# The object comes before the library, so that the library does not supply its own. Without an object, the test runs on
# the source as it is.
try() {
    case $test in
    *.sh) objects=$libs/obj/cli/main.o ;;
    *) objects="$known/$name.o $(echo "$MUTATE_SUPPORT" | sed "s:$BUILD/:$libs/:g")" ;;
    esac
    eval "$MUTATE_LINK $flags -o $work/wattsink $objects \$* $libs/libcli.a $libs/libwords.a $libs/libwattsink.a \
        -lcmocka $MUTATE_LIBS" || exit 1
    case $test in
    *.sh) set -- sh "$test" ;;
    *) set -- "$work/wattsink" ;;
    esac
    (
        ulimit -c 0 # one limit a call: dash sets only the first
        ulimit -t 120
        [ -n "$flags" ] || ulimit -v 3000000 # the sanitizers reserve more
        ulimit -f 2000000
        TMPDIR=$PWD/$work/tmp WATTSINK=$PWD/$work/wattsink exec timeout -k 5 3600 "$@"
    ) >"$work/log" 2>&1 </dev/null
}
judge() { # by the tests in the file $1
    while read -r test; do
        name=$(echo "$test" | tr / _)
        if [ "${test%.c}" != "$test" ] && ! [ "$known/$name.o" -nt "$libs/libwattsink.a" ]; then
            compile "$work/test.o" "$test" && mv "$work/test.o" "$known/$name.o" || exit 1
        fi
        try "$work/mutant.o"
        rc=$?
        case $rc in 0 | 77) continue ;; esac
        # A failure counts only if the test passes on the unchanged source.
        if ! [ "$known/$name.passes" -nt "$libs/libwattsink.a" ]; then
            try || { echo "does not count, because it fails on the source as it is: $test" && continue; }
            touch "$known/$name.passes"
        fi
        case $rc in
        124 | 137 | 152) ends timeout in "$test" ;;
        *) ends killed by "$test" ;;
        esac
    done <"$1"
}
grep -lxF "$file:$line" "$MUTATE"/map/*.lines | xargs -r -n 1 head -n 1 |
    sort -k2,2n -k1,1n | cut -d' ' -f2,3 >"$work/timed"
cut -d' ' -f2 "$work/timed" >"$work/tests"
judge "$work/tests"
[ -n "${MUTATE_SAN-}" ] || ends survived
awk '$1 <= 2 && $2 ~ /\.c$/ {print $2}' "$work/timed" | head -n 8 >"$work/short"
flags=$MUTATE_SAN libs=$MUTATE/asan known=$MUTATE/known-asan
compile_mutant || exit 1
judge "$work/short"
ends survived
