#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
cd "$top" || exit 1
missing=$(grep -rhoE '!\[[^]]*\]\([^)]*figures/[^)]*\)' README*.md docs scenarios --include='*.md' | sed 's|.*figures/||; s|)$||' | sort -u |
    while read -r name; do [ -s "docs/figures/$name" ] || echo "$name"; done)
[ -z "$missing" ] && pass "every figure that a page shows is there" || fail "every figure that a page shows is there" "$missing"
unseen=$(for f in docs/figures/*.svg docs/figures/*.png; do grep -rqF "figures/${f##*/}" README.md docs scenarios --include='*.md' || echo "$f"; done)
[ -z "$unseen" ] && pass "every figure is shown" || fail "every figure is shown" "$unseen"
unmade=$(for f in docs/figures/*.svg; do n=${f##*/} && grep -qE "^(draw|from [^ ]*) ${n%.svg}( |\$)" docs/figures/make.sh || echo "$f"; done)
[ -z "$unmade" ] && pass "every drawing is made by the script" || fail "every drawing is made by the script" "$unmade"
exit $status
