#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh PART...: runs these parts of `make soak`; then page.sh writes docs/reliability.md. A part leaves a folder
# $BUILD/soak/PART with `about`, `log` and `counts`; those of other commits are deleted. The Makefile sets SOAK (times
# the usual number of random cases), SOAK_RUNS (runs of the suite), KILL_RUNS (runs of the tests that kill programs) and TWIN_SECONDS (how
# long a twin is plied with orders).
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD/tests/soak
BUILD=${BUILD:-build} MAKE=${MAKE:-make}
PAGE=${PAGE:-docs/reliability.md}
mkdir -p "$BUILD/soak" || exit 1
soak=$(cd "$BUILD/soak" && pwd)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || commit=unknown
clean=$(git status --porcelain --untracked-files=no -- . ':!docs/reliability.md' 2>&1)
[ -z "$clean" ] || commit="$commit with changes"
for about in "$soak"/*/about; do
    [ -z "$clean" ] && grep -qx "commit $commit" "$about" 2>/dev/null || rm -rf "$(dirname "$about")"
done
. "$here/count.inc"
say() { echo "$*" >&9; }
exec 9>&1 # not 3 or 4, which make uses for its jobs

result() { sed -n 's/^\([0-9]* passed, [0-9]* failed, [0-9]* skipped\)$/\1/p' "$1" | tail -n 1; }
counted() {
    # shellcheck disable=SC2046  # six words
    set -- "$1" $(result "$2")
    [ $# = 7 ] || return 0
    count "$1" "tests passed" "$2"
    count "$1" "tests failed" "$4"
}
property() {
    WATTSINK_SOAK=$SOAK $MAKE --no-print-directory soak-property >"$part/tests.log" 2>&1
    rc=$?
    cat "$part/tests.log"
    counted property "$part/tests.log"
    count property "times the usual number of random cases" "$SOAK"
    return $rc
}
suite() {
    run=0
    while [ $run -lt "$SOAK_RUNS" ]; do
        run=$((run + 1)) start=$(date +%s)
        env -u WATTSINK_COUNTS "$here/loaded.sh" $MAKE --no-print-directory TEST_SECONDS=600 check >"$part/run.log" 2>&1
        rc=$?
        count suite "runs in a row"
        counted suite "$part/run.log"
        line="run $run of $SOAK_RUNS: $(result "$part/run.log"), $(($(date +%s) - start)) s"
        echo "$line"
        say "  $line"
        [ $rc = 0 ] || { cat "$part/run.log" && return 1; }
    done
}
kills() {
    bin=$(cd "$BUILD" && pwd)/wattsink
    WATTSINK=$bin ./tests/run tests/cli/badinput.sh tests/cli/mistakes.sh || return 1
    killers=$(grep -lE '^survived (kills|powercuts)' tests/fault/*.sh tests/cli/*.sh)
    run=0
    while [ $run -lt "$KILL_RUNS" ]; do
        run=$((run + 1))
        # shellcheck disable=SC2086  # words
        WATTSINK=$bin ./tests/run $killers || return 1
    done
}
faults() { WATTSINK_SOAK=1 $MAKE --no-print-directory TIERS=fault check; }
twin() {
    $MAKE --no-print-directory "$BUILD/tests/fault/test_twin" || return 1
    WATTSINK=$(cd "$BUILD" && pwd)/wattsink WATTSINK_TWIN_SECONDS=$TWIN_SECONDS "$BUILD/tests/fault/test_twin" >"$part/twin.log" 2>&1
    rc=$?
    cat "$part/twin.log"
    grep -E '^(orders|moments watched|killed and started again): [0-9]+$' "$part/twin.log" >>"$WATTSINK_COUNTS/twin"
    return $rc
}
fuzz() { $MAKE --no-print-directory fuzz; }
coverage() { $MAKE --no-print-directory coverage; }
mutate() { $MAKE --no-print-directory mutate; }
lacks() {
    for tool in $(case $1 in fuzz) echo clang ;; coverage) echo gcovr ;; esac); do
        command -v "$tool" >/dev/null || echo "$tool is not installed"
    done
    case $1 in coverage | mutate) grep -q "^$1:" Makefile || echo "there is no make $1" ;; esac
}

status=0
for name in "$@"; do
    case $name in property | suite | kills | faults | twin | fuzz | coverage | mutate) ;; *) echo "soak: no part '$name'" >&2 && exit 2 ;; esac
done
for name in "$@"; do
    part=$soak/$name
    rm -rf "$part" && mkdir -p "$part/counts" || exit 1
    export WATTSINK_COUNTS="$part/counts"
    outcome=passed start=$(date +%s)
    why=$(lacks "$name")
    say "soak: $name"
    if [ -n "$why" ]; then
        outcome="not run: $why"
    elif ! "$name" >"$part/log" 2>&1; then
        outcome=FAILED status=1
        grep -A 20 '^FAIL  ' "$part/log" || tail -n 20 "$part/log"
    fi
    printf '%s\n' "commit $commit" "date $(date -u +%Y-%m-%d)" "seconds $(($(date +%s) - start))" "outcome $outcome" >"$part/about"
    say "soak: $name: $outcome, $(($(date +%s) - start)) s"
done
"$here/page.sh" "$soak" >"$soak/page.md" && cp "$soak/page.md" "$PAGE" && say "soak: wrote $PAGE"
exit $status
