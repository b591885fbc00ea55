#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
sed 's/class="training" gpus="all"[^/]*/class="decode" gpus="all" rate="34.7" unit="tokens"/; s/kind="training"/kind="constant"/' two-cards.xml >tokens.xml
grep -q 'unit="tokens"' tokens.xml || fail "the rig counts tokens"

exits 0 "a comparison" "$wattsink" compare tokens.xml --vary 'gpu[*].power-limit=200W,250W,350W' --for 2h -o c
says out 'tokens' "has work in tokens"
says out 'USD.* tokens|tokens.*USD|per .*tokens' "and their price"
grep -o '[^ ]* tokens/[a-zA-Z]*' out >units
if command -v gnuplot >/dev/null; then
    exits 0 "its picture" "$wattsink" plot c -q
    says c/plots/compare.gp "^gpu_hours = 0; work_of = '.*tokens'; price_of = '.*tokens'" "counts tokens"
fi
exits 0 "repeated for a year" "$wattsink" compare tokens.xml --vary 'gpu[*].power-limit=200W,350W' --for 2h --annual -o y
says out 'tokens' "they are tokens of a year"
grep -o '[^ ]* tokens/[a-zA-Z]*' out | cmp -s units - && pass "and rates have the same units" || fail "and rates have the same units" "$(cat units out)"
command -v gnuplot >/dev/null && exits 0 "and its picture" "$wattsink" plot y -q
exit $status
