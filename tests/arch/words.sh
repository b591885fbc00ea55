#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
status=0
ok() { echo "ok $1"; }
check() {
    if [ -z "$2" ]; then ok "$1"; else
        echo "not ok $1"
        echo "$2" | head -n 40 | sed 's/^/    /'
        status=1
    fi
}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
top=$(cd "$(dirname "$0")/../.." && pwd)
command -v msgcmp >/dev/null 2>&1 || { echo "skip translations: no gettext"; exit 0; }

check "the texts can be extracted" "$(sh "$top/po/extract.sh" "$tmp/all.pot" 2>&1)"
for po in "$top"/po/*.po; do
    lang=$(basename "$po" .po)
    check "$lang: the catalogue is well-formed, and its formats are those of English" \
        "$(LC_ALL=C msgfmt -c -o /dev/null "$po" 2>&1)"
    check "$lang: every text has its translation (make po lists them, CONTRIBUTING.md says how)" \
        "$(LC_ALL=C msgcmp "$po" "$tmp/all.pot" 2>&1)"
    check "$lang: no translation without its text (make po drops them)" "$(
        LC_ALL=C msgcomm --unique --no-location --no-wrap --omit-header "$po" "$tmp/all.pot" 2>/dev/null |
            sed -n 's/^msgid //p')"
done
# uniform TITLE PATTERN: no translation into Japanese may match the pattern of Perl.
uniform() {
    check "ja: $1" "$(LC_ALL=C.UTF-8 awk '/^msgid /{ said = 0 } /^msgstr /{ said = 1 } said' "$top/po/ja.po" |
        LC_ALL=C.UTF-8 grep -P "$2")"
}
# Rejected synonyms of terms that the other translations use, such as ブレーカー, 冷却液, 電源ユニット.
uniform "each technical term has one translation" '読みの[数%]|読みは独立|遮断器|電力ブレーキ|漏れ電力|炭素強度|CO2 ?原単位|設備水|冷却水|水枕|数珠つなぎ|連続(上限|使用限度|許容値)|トリップ|ツイン|PSU|速度低下|停止温度|電力上限|浴槽'
uniform "loan words end in their long vowel mark" '(メモリ|コネクタ|ライブラリ)(?!ー)'
uniform "ranges have the mark ~, and brackets and colons are ASCII" '[〜～（）：]'
exit $status
