#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# one.sh N: compiles mutant N of $MUTATE/run/drawn and runs the tests that execute its line until one fails. Writes to
# $MUTATE/run/results/N "killed by TEST", "timeout in TEST" or "survived", or, for mutants that do not count, "invalid"
# (it does not compile) or "same code". Each test may take 120 s of CPU time, which does not depend on how busy the
# machine is.
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

# The compiler reads the source from standard input, so that both objects contain the same file name.
eval "compile() { $MUTATE_COMPILE -w -g0 -c -o \"\$@\"; }"
with=$with awk -v line="$line" -v column="$column" -v size="$length" '
    NR == line { $0 = substr($0, 1, column - 1) ENVIRON["with"] substr($0, column + size) } 1' "$file" >"$work/mutant.c"
compile "$work/mutant.o" -x c - <"$work/mutant.c" 2>/dev/null || ends invalid
compile "$work/source.o" -x c - <"$file" || exit 1
! cmp -s "$work/mutant.o" "$work/source.o" || ends same code

archives="$BUILD/libcli.a $BUILD/libwords.a $BUILD/libwattsink.a"
# The object comes before the library, so that the library does not supply its own. Without an object, the test runs on
# the source as it is.
try() {
    case $test in
    *.sh) objects=$BUILD/obj/cli/main.o ;;
    *) objects="$known.o $MUTATE_SUPPORT" ;;
    esac
    eval "$MUTATE_LINK -o $work/wattsink $objects \$* $archives -lcmocka $MUTATE_LIBS" || exit 1
    case $test in
    *.sh) set -- sh "$test" ;;
    *) set -- "$work/wattsink" ;;
    esac
    (
        ulimit -c 0 # one limit a call: dash sets only the first
        ulimit -t 120
        ulimit -v 3000000
        ulimit -f 2000000
        TMPDIR=$PWD/$work/tmp WATTSINK=$PWD/$work/wattsink exec timeout -k 5 3600 "$@"
    ) >"$work/log" 2>&1 </dev/null
}
grep -lxF "$file:$line" "$MUTATE"/map/*.lines | xargs -r -n 1 head -n 1 |
    sort -k1,1n -k2,2n | cut -d' ' -f3 >"$work/tests"
while read -r test; do
    known=$MUTATE/known/$(echo "$test" | tr / _)
    if [ "${test%.c}" != "$test" ] && ! [ "$known.o" -nt "$BUILD/libwattsink.a" ]; then
        compile "$work/test.o" "$test" && mv "$work/test.o" "$known.o" || exit 1
    fi
    try "$work/mutant.o"
    rc=$?
    case $rc in 0 | 77) continue ;; esac
    # A failure counts only if the test passes on the unchanged source.
    if ! [ "$known.passes" -nt "$BUILD/libwattsink.a" ]; then
        try || { echo "does not count, because it fails on the source as it is: $test" && continue; }
        touch "$known.passes"
    fi
    case $rc in
    124 | 137 | 152) ends timeout in "$test" ;;
    *) ends killed by "$test" ;;
    esac
done <"$work/tests"
ends survived
