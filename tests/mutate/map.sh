#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# map.sh TEST: writes the map of a test, $MUTATE/map/NAME.lines. Its first line has the test's tier, its duration in s
# and its name; then follows FILE:LINE of each line of sim/ and models/ that the test executes. The program and the
# tests in $MUTATE/cov count lines. A map stays until its test or the program changes.
set -u
test=$1
cov=$MUTATE/cov
map=$MUTATE/map/$(echo "$test" | tr / _).lines
counts=$PWD/$map.counts
case $test in
*.sh) counted=$cov/wattsink ;;
*) counted=$cov/${test%.c} ;;
esac
if [ -e "$map" ] && [ "$map" -nt "$counted" ] && [ "$map" -nt "$test" ]; then exit 0; fi
case $test in
tests/unit/*) tier=1 ;;
tests/property/*) tier=2 ;;
tests/verify/*) tier=3 ;;
*) tier=4 ;;
esac
rm -rf "$map" "$counts"
mkdir -p "$counts"
began=$(date +%s)
strip=$(printf %s "$PWD/$cov/obj" | tr -dc / | wc -c)
case $test in
*.sh) set -- sh "$test" ;;
*) set -- "./$counted" ;;
esac
if ! GCOV_PREFIX=$counts GCOV_PREFIX_STRIP=$strip WATTSINK=$PWD/$cov/wattsink \
    timeout -k 5 600 "$@" >"$map.log" 2>&1; then
    echo "left out, because it fails when lines are counted: $test (see $map.log)"
else
    took=$(($(date +%s) - began))
    (cd "$counts" && find sim models -name '*.gcda' 2>/dev/null) | sed 's/\.gcda$//' | while read -r object; do
        ln -s "$PWD/$cov/obj/$object.gcno" "$counts/$object.gcno"
        echo "$counts/$object.gcda"
    done | xargs -r gcov -t 2>/dev/null | awk -v head="$tier $took $test" -F: '
        BEGIN { print head }
        $3 == "Source" { file = $4; next }
        file ~ /^(sim|models)\/.*\.c$/ && $1 ~ /[0-9]/ { sub(/ */, "", $2); print file ":" $2 }' >"$map.new"
    mv "$map.new" "$map"
fi
rm -rf "$counts"
