#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mutate.sh TEST...: checks whether the tests notice a mistake. Makes MUTANTS (200) mutants, each with one changed place
# in a line of sim/ or models/ that the tests execute, drawn by SEED, and runs on each mutant the tests that execute its
# line. Mutants that no test can notice are listed in tests/mutate/equivalent.txt. Fails if the tests notice fewer than
# 90 %, or if more than 5 % are listed as equivalent. `make mutate` sets the other variables.
set -u
export MUTATE MUTANTS="${MUTANTS:-200}" WATTSINK_SHORT=1 WATTSINK_PARTS="$PWD/parts"
SEED=${SEED:-$(date +%s)}
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
run=$MUTATE/run
unset LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LANG COLUMNS NO_COLOR CDPATH POSIXLY_CORRECT
export TZ=UTC0 SOURCE_DATE_EPOCH=0 # as in tests/run, so that no price is too old, whatever the date
mkdir -p "$MUTATE/map" "$MUTATE/known" "$MUTATE/known-asan"
rm -rf "$run" && mkdir -p "$run/results" || exit 1
ln -sfn "$PWD/plots" "$MUTATE/plots" # which the program looks for in the folders above it

printf '%s\n' "$@" | xargs -P "$jobs" -n 1 sh tests/mutate/map.sh
sed 1d "$MUTATE"/map/*.lines | grep : | sort -u >"$run/executed"
find sim models -name '*.c' | LC_ALL=C sort |
    xargs awk -v seed="$SEED" -f tests/mutate/mutants.awk "$run/executed" >"$run/drawn"
echo "SEED=$SEED: $MUTANTS mutants on $(wc -l <"$run/drawn") of the $(wc -l <"$run/executed") lines that $# tests execute"
seq "$(wc -l <"$run/drawn")" | xargs -P "$jobs" -n 1 sh tests/mutate/one.sh || {
    echo "a mutant could not be built or tried, see above" >&2
    exit 1
}

# The first MUTANTS count in the order in which they were drawn, so that the result does not depend on which ran at the
# same time.
i=0 tried=0 noticed=0 same=0
while [ "$tried" -lt "$MUTANTS" ] && [ -e "$run/results/$((i += 1))" ]; do
    case $(cat "$run/results/$i") in
    killed* | timeout*) noticed=$((noticed + 1)) ;;
    survived)
        IFS=$(printf '\t') read -r file line column length with text <<END
$(sed -n "${i}p" "$run/drawn")
END
        whole=$(sed -n "${line}s/^ *//p" "$file")
        if grep -qF "$file: $whole: $text -> $with: " tests/mutate/equivalent.txt; then
            same=$((same + 1))
        else
            printf '%s\n' "survivor: $file:$line: $whole: $text -> $with"
        fi
        ;;
    *) continue ;;
    esac
    tried=$((tried + 1))
done
echo "SEED=$SEED: $tried mutants, $noticed noticed, $same called equivalent, $((tried - noticed - same)) survived"
if [ -n "${WATTSINK_COUNTS-}" ]; then
    printf '%s\n' "mutants tried: $tried" "noticed: $noticed" "called equivalent: $same" >"$WATTSINK_COUNTS/mutants"
fi
[ "$tried" -gt 0 ] && [ $((100 * noticed)) -ge $((90 * tried)) ] && [ $((100 * same)) -le $((5 * tried)) ]
