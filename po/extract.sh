#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# extract.sh POT: writes the English texts that people read, from the source, to POT, a template for translations.
set -eu
cd "$(dirname "$0")/.."
pot=$1
rows=$pot.rows
extract() {
    LC_ALL=C sort | xgettext --from-code=UTF-8 -L C --files-from=- --no-location --sort-output --no-wrap --keyword "$@"
}
params=
for at in WSK_NUM:9 WSK_ASSUME:9 WSK_TXT:6 WSK_CHO:7 WSK_CUR:12 WSK_SER:6 WSK_DAT:5 WSK_NOISE_ROWS:3 WSK_PRICE_ROWS:4 TRACE:5 RECORD:3 HELP:1; do
    params="$params --keyword=$at --flag=$at:no-c-format"
done

# xgettext does not look into macros and does not know struct members, so their texts are first copied to a file of
# rows.
sed -n 's/^ *X(\(.*)\).*/LABEL(\1/p' include/wattsink_results.h include/wattsink_compared.h include/wattsink_variables.h >"$rows"
sed -n 's/^ *X(WSK_[A-Z]*, [0-9]*, \("[^"]*"\)).*/HELP(\1)/p' include/wattsink.h >>"$rows"
sed -n 's/^X(/BRIEF(/p' sim/results/briefs.def >>"$rows"
find models -name '*.c' ! -path 'models/coolant/*' -exec sed -n 's/.*\.help = \("[^"]*"\).*/HELP(\1)/p' {} + >>"$rows"
# An attribute's help may end with "; default" and a rule, which `parts --show` prints alone.
# shellcheck disable=SC2086 # a list of options
find sim models -name '*.[ch]' | extract $params -o "$pot"
sed -n 's/^msgid ".*; default:* \(.*"\)$/HELP("\1)/p' "$pot" >>"$rows"

# shellcheck disable=SC2086 # a list of options
{ find sim models words draw cli extras \( -name '*.c' -o -name '*.h' -o -name '*.def' \) && echo "$rows"; } |
    extract $params --keyword=T_ --keyword=N_ --keyword=WSK_N --keyword=WSK_WORD --keyword=WSK_CODE:4 --keyword=LABEL:5 \
        --keyword=BRIEF:2 --keyword=wsk_tr:2 --keyword=TR_ --keyword=wsk_report_put:2 --keyword=wsk_report_format:2 --flag=WSK_CODE:4:c-format \
        --flag=N_:1:no-c-format --package-name=wattsink --copyright-holder='the wattsink authors' -o "$pot"
# xgettext takes only one argument of a keyword, so the reasons of assumed defaults need a pass of their own.
find sim models -name '*.[ch]' | extract -j --keyword=WSK_ASSUME:10 --flag=WSK_ASSUME:10:no-c-format -o "$pot"
# The date would make every catalogue differ from the one before.
sed '/^"POT-Creation-Date:/d' "$pot" >"$pot.new" && mv "$pot.new" "$pot"
rm -f "$rows"
