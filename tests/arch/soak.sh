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
# shellcheck disable=SC2086  # words
check "and the load ends with it" gone $both
tests/soak/loaded.sh sh -c 'read -r word <"$1"' sh "$scratch/go" &
loaded=$!
until [ "$(children $loaded | wc -l)" = 2 ]; do sleep 0.02; done
both=$(children $loaded)
kill -KILL $loaded
echo go >"$scratch/go"
# shellcheck disable=SC2086  # words
check "or when it is killed" gone $both

. tests/soak/count.inc
soak=$scratch/soak
mkdir -p "$soak/kills/counts" "$soak/fuzz/counts" "$soak/coverage/counts" "$soak/mutate/counts"
printf '%s\n' "commit 123456" "date 2026-08-03" "seconds 61" "outcome passed" >"$soak/kills/about"
sed 's/passed/FAILED/' "$soak/kills/about" >"$soak/fuzz/about"
sed 's/passed/not run: gcovr is not installed/' "$soak/kills/about" >"$soak/coverage/about"
cp "$soak/kills/about" "$soak/mutate/about"
WATTSINK_COUNTS=$soak/kills/counts
count kills kills 3000000000
survived kills kills 2
status=1
survived kills kills 4
status=0
count powers "of a kind without a row"
echo 'branches in cli: 90.3 %' >"$soak/mutate/counts/mutants"
tests/soak/page.sh "$soak" >"$scratch/page"
says() { grep -qF -- "$1" "$scratch/page"; }
check "counts of one label are added, and what a failed test counted is not said to be survived" \
    says '| kills: 3000000006; survived: 2 | passed, 2026-08-03, 2 min | `make soak PARTS=kills` |'
check "a number may have a unit" says '| branches in cli: 90.3 % | passed'
check "a file of counts without a row is left out" sh -c '! grep -q powers "$1"' sh "$scratch/page"
check "what failed says so" says '|  | FAILED, 2026-08-03'
check "what could not be run says why" says '|  | not run: gcovr is not installed |'
check "a part that counted nothing of a kind did not run it" says 'on disk is lost |  | not run | `make soak PARTS=kills` |'
check "a part that is not there did not run" says '|  | not run | `make soak PARTS=suite` |'
check "the commit is told" says 'Commit: 123456. '

git rev-parse HEAD >/dev/null 2>&1 || { echo "skip parts of another commit: no git" && exit $status; }
mkdir -p "$scratch/build" && mv "$soak" "$scratch/build/soak"
BUILD=$scratch/build PAGE=$scratch/page tests/soak/run.sh >/dev/null
check "numbers of another commit go" sh -c '! grep -qE "[0-9] min|kills: |123456" "$1" && grep -q "not run" "$1"' sh "$scratch/page"
exit $status
