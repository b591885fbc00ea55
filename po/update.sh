#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/po
sh po/extract.sh build/po/wattsink.pot
for po in po/*.po; do
    msgmerge --quiet --no-wrap --sort-output --no-location -o "$po.new" "$po" build/po/wattsink.pot
    msgattrib --no-obsolete --no-wrap --no-location -o "$po" "$po.new"
    rm -f "$po.new"
    echo "$po: $(msgfmt --statistics -o /dev/null "$po" 2>&1)"
done
