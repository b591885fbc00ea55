#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# extract.sh POT: the English texts that people read, from the source, as a template for translations.
# Their marks: T_ and N_ in the program (cli/kit/cli.h), WSK_N and WSK_WORD in the library, the list of codes of diagnostics,
# and the help in the tables of parameters (sim/net/kind.h). Texts that stand below the program, and take a language: wsk_tr,
# TR_ and wsk_report_put. The labels of results and variables stand in macros, where xgettext does not look: their
# rows are copied to a file first.
set -eu
cd "$(dirname "$0")/.."
pot=$1
{
    sed -n 's/^ *X(\(.*)\).*/LABEL(\1/p' include/wattsink_results.h include/wattsink_variables.h
    sed -n 's/^X(/BRIEF(/p' sim/results/briefs.def
} >"$pot.labels"
find sim models words draw cli extras \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | LC_ALL=C sort |
    xgettext --from-code=UTF-8 -L C --files-from=- "$pot.labels" --keyword --keyword=T_ --keyword=N_ --keyword=WSK_N \
        --keyword=WSK_WORD --keyword=WSK_CODE:4 --keyword=LABEL:5 --keyword=BRIEF:2 --keyword=wsk_tr:2 \
        --keyword=wsk_report_put:2 --keyword=wsk_report_format:2 --keyword=TR_ --flag=WSK_CODE:4:c-format \
        --flag=N_:1:no-c-format --no-location --sort-output --no-wrap \
        --package-name=wattsink --copyright-holder='the wattsink authors' -o "$pot"
# The date of extraction would make every catalogue differ from the one before.
sed '/^"POT-Creation-Date:/d' "$pot" >"$pot.new" && mv "$pot.new" "$pot"
rm -f "$pot.labels"
