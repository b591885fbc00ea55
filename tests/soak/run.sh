#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh PART...: runs these parts of `make soak`, and writes their results into tests/soak/record.tsv, from which
# page.sh makes docs/reliability.md. A part leaves a folder $BUILD/soak/PART with `log` and `counts`. The Makefile sets
# SOAK (factor on the usual number of random cases), SOAK_RUNS (runs of the suite), KILL_RUNS (runs of the tests that
# kill programs) and TWIN_SECONDS (time for which orders are sent to a twin).
# A line of the record: part, name of its counts (-: of a part that failed), commit, date, seconds, "passed" or "FAILED",
# counts; with tabs between them. The suite has a line for each run since the last one that failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD/tests/soak
BUILD=${BUILD:-build} MAKE=${MAKE:-make}
RECORD=${RECORD:-$here/record.tsv} PAGE=${PAGE:-docs/reliability.md}
mkdir -p "$BUILD/soak" || exit 1
soak=$(cd "$BUILD/soak" && pwd)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || commit=unknown
clean=$(git status --porcelain --untracked-files=no -- . ':!docs/reliability.md' ':!tests/soak/record.tsv' 2>&1)
[ -z "$clean" ] || commit="$commit with changes"
touch "$RECORD" || exit 1
. "$here/count.inc"
say() { echo "$*" >&9; }
exec 9>&1 # not 3 or 4, which make uses for its jobs

# note PART NAME SECONDS OUTCOME COUNTS: writes a line of the record.
note() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$commit" "$(date -u +%Y-%m-%d)" "$3" "$4" "$5" >>"$RECORD"
    "$here/page.sh" "$RECORD" >"$soak/page.md" && cp "$soak/page.md" "$PAGE"
}
# forget PART: takes its lines out of the record.
forget() {
    grep -v "^$1	" "$RECORD" >"$soak/record"
    cp "$soak/record" "$RECORD"
}
# summed FILE: the counts in it, those of one label added up.
summed() {
    awk -F ': ' '{
        n = split($2, word, " ")
        if (!($1 in sum)) label[++labels] = $1
        sum[$1] += word[1]
        if (word[1] ~ /[.]/) parted[$1] = 1
        unit[$1] = n > 1 ? " " word[2] : ""
    }
    END {
        for (i = 1; i <= labels; i++) {
            l = label[i]
            printf("%s%s: " (parted[l] ? "%.1f" : "%.0f") "%s", (i > 1 ? "; " : ""), l, sum[l], unit[l])
        }
    }' "$1"
}
result() { sed -n 's/^\([0-9]* passed, [0-9]* failed, [0-9]* skipped\)$/\1/p' "$1" | tail -n 1; }
counted() {
    # shellcheck disable=SC2046  # unquoted: six words
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
    if grep -q "^suite	.*	FAILED	" "$RECORD"; then forget suite; fi
    run=0
    while [ $run -lt "$SOAK_RUNS" ]; do
        run=$((run + 1)) start=$(date +%s)
        env -u WATTSINK_COUNTS "$here/loaded.sh" $MAKE --no-print-directory TEST_SECONDS=600 check >"$part/run.log" 2>&1
        rc=$?
        outcome=passed
        [ $rc = 0 ] || outcome=FAILED
        note suite suite $(($(date +%s) - start)) $outcome "$(result "$part/run.log")"
        say "  run $run of $SOAK_RUNS: $(result "$part/run.log"), $(($(date +%s) - start)) s"
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
        # shellcheck disable=SC2086 # unquoted, to be split into words
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
        say "soak: $name: not run: $why"
        continue
    fi
    if ! "$name" >"$part/log" 2>&1; then
        outcome=FAILED status=1
        grep -A 20 '^FAIL  ' "$part/log" || tail -n 20 "$part/log"
    fi
    seconds=$(($(date +%s) - start))
    if [ "$name" != suite ]; then
        forget "$name"
        for counts in "$part"/counts/*; do
            [ ! -f "$counts" ] || note "$name" "${counts##*/}" $seconds $outcome "$(summed "$counts")"
        done
        [ $outcome = passed ] || note "$name" - $seconds $outcome "" # for rows that were not counted
    fi
    say "soak: $name: $outcome, $seconds s"
done
"$here/page.sh" "$RECORD" >"$soak/page.md" && cp "$soak/page.md" "$PAGE" && say "soak: wrote $PAGE"
exit $status
