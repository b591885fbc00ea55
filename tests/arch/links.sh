#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
status=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
check() {
    if [ -z "$2" ]; then echo "ok $1"; else
        echo "not ok $1"
        echo "$2" | sed 's/^/    /'
        status=1
    fi
}
# All pages are read at once, because starting a process for each link takes long on some machines.
tab=$(printf '\t')
find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort >"$scratch/pages"
# The text outside code: lines "PAGE:LINE:TEXT".
xargs -d '\n' awk 'FNR == 1 { code = 0 } /^ *```/ { code = !code; next } !code && !/^    / { print FILENAME ":" FNR ":" $0 }' \
    <"$scratch/pages" >"$scratch/prose"
# The anchors of all headings, as GitHub makes them: lines "PAGE#ANCHOR".
xargs -d '\n' awk '
    FNR == 1 { code = 0; split("", seen) }
    /^ *```/ { code = !code }
    !code && /^#+ / {
        sub(/^#+ +/, "")
        $0 = tolower($0)
        gsub(/[][!"#$%&\047()*+,.\/:;<=>?@\\^`{|}~]/, "")
        gsub(/ /, "-")
        print FILENAME "#" $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
    }' <"$scratch/pages" >"$scratch/anchors"
# The links within the repository: lines of "PAGE:LINE:", target, path and anchor.
sed 's/`[^`]*`//g' "$scratch/prose" | awk '{
    split($0, place, ":")
    while (match($0, /\]\([^) ]+/)) {
        target = substr($0, RSTART + 2, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
        if (target ~ /^(https?:\/\/|mailto:)/) continue
        file = anchor = target
        sub(/#.*/, "", file)
        if (!sub(/^[^#]*#/, "", anchor)) anchor = ""
        path = place[1]
        if (file != "") { sub(/[^\/]*$/, "", path); path = path file }
        gsub(/\/\.\//, "/", path)
        while (sub(/\/[^\/.]+\/\.\.\//, "/", path)) { }
        print place[1] ":" place[2] ":\t" target "\t" path "\t" anchor
    }
}' >"$scratch/links"
broken_links() {
    while IFS=$tab read -r place target path anchor; do
        if [ ! -e "$path" ]; then
            echo "$place no such file: $target"
        elif [ -n "$anchor" ]; then
            echo "$path#$anchor$tab$place no such heading: $target" >&3
        fi
    done <"$scratch/links" 3>"$scratch/wanted"
    awk -F '\t' 'FILENAME == ARGV[1] { known[$0] = 1; next } !($1 in known) { print $2 }' "$scratch/anchors" "$scratch/wanted"
}
lost_sources() {
    awk '{
        page = substr($0, 1, index($0, ":") - 1)
        while (match($0, /`(cli|extras|include|models|parts|plots|scenarios|schema|sim|tests)\/[A-Za-z0-9_.\/-]+`/)) {
            file = substr($0, RSTART + 1, RLENGTH - 2)
            $0 = substr($0, RSTART + RLENGTH)
            if (file !~ /[A-Z][A-Z]|\.\.\./) print page, file
        }
    }' "$scratch/prose" | sort -u | while read -r page file; do
        [ -e "$file" ] || [ -e "${page%/*}/$file" ] || echo "$page names $file"
    done
}
check "every link leads somewhere" "$(broken_links)"
check "every source that a page names is there" "$(lost_sources)"
index=$(cat docs/README.md)
check "every page of docs/ is in its index" "$(find docs -name '*.md' -not -path docs/README.md | sort | while read -r page; do
    case $index in *"](${page#docs/})"*) ;; *) echo "$page" ;; esac
done)"
sh docs/reference/make.sh "$WATTSINK" "$scratch" || status=1
for page in kinds commands results; do
    check "the reference of $page is current" "$(cmp "$scratch/$page.md" "docs/reference/$page.md" 2>&1)"
done
exit $status
