#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
. "$(dirname "$0")/judged.inc"
said=$scratch/page

# children PID: the processes that PID has started.
children() { grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3; }
: >"$scratch/page"
mkfifo "$scratch/go"
tests/soak/loaded.sh sh -c 'read -r word <"$1"; exit $word' sh "$scratch/go" &
loaded=$!
until [ "$(children $loaded | wc -l)" = 2 ]; do sleep 0.02; done
both=$(children $loaded)
echo 7 >"$scratch/go"
wait $loaded
check "loaded: the exit status is the command's" [ $? = 7 ]
# shellcheck disable=SC2086 # unquoted, to be split into words
check "loaded: the load ends with the command" gone $both
tests/soak/loaded.sh sh -c 'read -r word <"$1"' sh "$scratch/go" &
loaded=$!
until [ "$(children $loaded | wc -l)" = 2 ]; do sleep 0.02; done
both=$(children $loaded)
kill -KILL $loaded
echo go >"$scratch/go"
# shellcheck disable=SC2086 # unquoted, to be split into words
check "loaded: the load ends when loaded.sh is killed" gone $both

# A `make` that stands in for the real one, so that each outcome of a part of `make soak` occurs: property passes and
# counts, fuzz fails, coverage counts a number with a unit, mutate passes without counting.
mkdir -p "$scratch/bin" "$scratch/build"
cat >"$scratch/make" <<'END'
#!/bin/sh
. tests/soak/count.inc
status=0
for goal in "$@"; do :; done
case $goal in
soak-property)
    count property cases 3000000000
    survived property cases 2
    status=1
    survived property cases 4
    count powers "of a kind without a row"
    echo "7 passed, 0 failed, 1 skipped" ;;
fuzz) exit 1 ;;
coverage) echo 'branches in cli: 90.3 %' >"$WATTSINK_COUNTS/coverage" ;;
mutate) ;;
check) echo "$(cat "$COUNTED") passed, 0 failed, 0 skipped" && exit "$(cat "$ENDS")" ;;
esac
END
chmod +x "$scratch/make"
printf '%s\n' '#!/bin/sh' >"$scratch/bin/clang"
cp "$scratch/bin/clang" "$scratch/bin/gcovr" && chmod +x "$scratch/bin/clang" "$scratch/bin/gcovr"
export COUNTED="$scratch/counted" ENDS="$scratch/ends"
echo 9 >"$COUNTED" && echo 0 >"$ENDS"
soak() {
    parts=$1
    shift
    # shellcheck disable=SC2086 # unquoted, to be split into words
    env "$@" BUILD="$scratch/build" MAKE="$scratch/make" RECORD="$scratch/record" PAGE="$scratch/page" SOAK=7 KILL_RUNS=0 \
        tests/soak/run.sh $parts >"$scratch/out" 2>&1
}
says() { grep -qF -- "$1" "$scratch/page"; }
printf 'mutate\tmutants\t123456\t2026-08-03\t61\tpassed\tmutants: 200\nkills\tkills\t123456\t2026-08-03\t61\tpassed\tkills: 30\n' \
    >"$scratch/record"
soak "property fuzz coverage mutate" PATH="$scratch/bin:$PATH"
check "a part that fails: exit status 1" [ $? = 1 ]
now=$(git rev-parse --short=12 HEAD 2>/dev/null) || now=unknown
at="passed, $(date -u +%Y-%m-%d)"
check "counts of one label are added; those of a failed test do not count as survived" \
    says '| cases: 3000000006; survived: 2; tests passed: 7; tests failed: 0; times the usual number of random cases: 7 |'
check "a number may have a unit" says "| branches in cli: 90.3 % | $at"
check "a file of counts without a row is left out" sh -c '! grep -q powers "$1"' sh "$scratch/page"
check "the row of a failed part says so" says "|  | FAILED, $(date -u +%Y-%m-%d)"
check "the row of a part has the commit" says " min | $now"
check "a part that counted nothing of a kind did not run it" says 'should notice |  | not run |  | `make soak PARTS=mutate` |'
check "a part that is not there did not run" says '|  | not run |  | `make soak PARTS=suite` |'
check "a part that was run at another commit stays" says '| kills: 30 | passed, 2026-08-03, 2 min | 123456 | `make soak PARTS=kills` |'
grep -v '^coverage' "$scratch/record" >"$scratch/short" && cp "$scratch/record" "$scratch/whole"
printf 'coverage\tcoverage\t123456\t2026-08-03\t61\tpassed\tbranches: 91 %%\n' >>"$scratch/short"
cp "$scratch/short" "$scratch/record"
mkdir "$scratch/none"
for tool in sh awk sed grep cat cp date git mkdir rm touch dirname env tail wc; do
    path=$(command -v $tool) && ln -s "$path" "$scratch/none/$tool"
done
soak coverage PATH="$scratch/none"
check "without gcovr the row of coverage stays" says '| branches: 91 % | passed, 2026-08-03, 2 min | 123456 |'
check "and the terminal says what is missing" grep -q "gcovr is not installed" "$scratch/out"
soak suite SOAK_RUNS=2
echo 11 >"$COUNTED"
soak suite SOAK_RUNS=1
check "further runs of the suite are added to its row" says '| runs in a row: 3; tests passed: 29 |'
check "each run of the suite is reported" says "run 3: 11 passed, 0 failed, 0 skipped"
echo 2 >"$ENDS"
soak suite SOAK_RUNS=2
check "the row of the suite ends with the run that fails" says '| runs in a row: 4; tests passed: 40 | FAILED'
echo 0 >"$ENDS"
soak suite SOAK_RUNS=1
check "after a failure runs of the suite are counted anew" says '| runs in a row: 1; tests passed: 11 | passed'
exit $status
