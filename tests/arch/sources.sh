#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A reader of the repository must be able to open every source that comments and parts cite.
set -u
status=0
check() {
    if [ -z "$2" ]; then echo "ok $1"; else
        echo "not ok $1"
        echo "$2" | sed 's/^/    /'
        status=1
    fi
}
tracked() { git ls-files 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*' | sed 's|^\./||'; }
files=$(tracked | grep -E '\.(c|h|sh|inc|gp|awk|md|xml|csv)$' | grep -v '^tests/arch/sources\.sh$')

# shellcheck disable=SC2086 # unquoted: one word a file
check "no page outside the repository is cited" \
    "$(grep -nE '(^|[^a-z/-])(physics|numerics|interface|loads|calibration|web|words)\.md' $files /dev/null)"
# The raw data are not in the repository; the values in use are in tests/validate/facts.
# shellcheck disable=SC2086
check "no table outside the repository is cited" \
    "$(grep -nE '(^|[^a-z_/])(thermal/|power/|psu/|money/)?(coolers|gpus|fits_vf_curves|thresholds|more_steady|more_limits|flat_averages|tou_schedules|tiered_blocks)(\.csv)' $files /dev/null)"
# Comments cite a page as docs/theory/air.md, or a section as docs/theory/air.md, "Slot gaps".
# shellcheck disable=SC2086
check "each page that a comment cites exists" "$(grep -noE 'docs/[a-z/-]+\.(md|1)' $(echo "$files" | grep -E '\.(c|h|sh|inc|xml)$') /dev/null |
    while IFS=: read -r file line page; do [ -e "$page" ] || echo "$file:$line: $page"; done)"
# shellcheck disable=SC2086
check "each section that a comment cites exists" "$({
    find docs -name '*.md' -exec grep -HE '^#+ ' {} + | sed 's/:#* /, /'
    echo
    grep -noE 'docs/[a-z/-]+\.md, "[^"\\]+"' $(echo "$files" | grep -E '\.(c|h|sh|inc)$') /dev/null
} | awk '
    !cited { if ($0 == "") cited = 1; else section[$0] = 1; next }
    {
        split($0, part, ":")
        place = part[1] ":" part[2] ":"
        said = substr($0, length(place) + 1)
        heading = said
        gsub(/"/, "", heading)
        if (said !~ /^docs\/theory\/constants\.md,/ && !(heading in section)) print place " " said
    }')"
# Each row of the table of assumed constants must be cited in the file that it names, and each citation must have a row.
# shellcheck disable=SC2086
check "assumed constants in code are those of docs/theory/constants.md" "$({
    grep -oE 'docs/theory/constants\.md, "[^"\\]+"' $(echo "$files" | grep -E '^(sim|models|cli)/.*\.[ch]$') |
        sed 's/^\([^:]*\):[^"]*"\([^"]*\)"/\2 in \1/' | sort -u
    sed -n 's/^| \([^|]*\) | `\([^`]*\)` |.*/\1 in \2/p' docs/theory/constants.md | sort -u
} | sort | uniq -u)"

check "docs/theory/constants.md counts its rows" "$(awk '
    match($0, /The [0-9]+ constants below/) { split(substr($0, RSTART), word, " "); said = word[2] }
    /^\| [^|]* \| `/ { rows++ }
    END { if (said != rows) print "it says " said " and has " rows }' docs/theory/constants.md)"

if command -v xmllint >/dev/null; then
    check "each part is well-formed XML" "$(find parts -name '*.xml' -exec xmllint --noout {} + 2>&1)"
else
    echo "skip each part is well-formed XML: no xmllint"
fi
# xmllint and the program both use libxml2, so expat reads the files as well.
if command -v python3 >/dev/null; then
    check "another parser reads each part and rig" "$(find parts scenarios -name '*.xml' | python3 -c '
import sys, xml.parsers.expat
for name in sys.stdin.read().split():
    try:
        xml.parsers.expat.ParserCreate().Parse(open(name, "rb").read(), True)
    except xml.parsers.expat.ExpatError as error:
        print(name, error)')"
else
    echo "skip another parser reads each part and rig: no python3"
fi
kinds='datasheet|database|log|article|measured|fitted|assumed'
check "each source of a part is of one of the seven kinds" "$(find parts -name '*.xml' -exec awk '
    FNR == 1 { open = 0; text = "" }
    /<source / { open = 1 }
    open { text = text " " $0 }
    open && /\/>/ { print FILENAME ":" FNR ":" text; text = ""; open = 0 }' {} + | grep -vE " kind=\"($kinds)\"")"
check "no source is a public log" "$(grep -rniE 'public (log|thread|script|page)' parts tests/validate/facts)"
logs='docs/theory/sources.md'
cited() { grep -rhoE 'ref="[^"]*sources\.md[^"]*"|\(logs? [0-9 ]+ in docs/theory/sources\.md\)' parts tests/validate/facts | grep -oE '\b[0-9]{8,11}\b' | sort -u; }
listed() { sed -n 's/^| \([0-9]*\) | .*/\1/p' "$logs" | sort -u; }
cited >"${TMPDIR:-/tmp}/cited.$$"
listed >"${TMPDIR:-/tmp}/listed.$$"
check "the numbered logs are those of $logs" "$(diff "${TMPDIR:-/tmp}/cited.$$" "${TMPDIR:-/tmp}/listed.$$")"
rm -f "${TMPDIR:-/tmp}/cited.$$" "${TMPDIR:-/tmp}/listed.$$"
exit $status
