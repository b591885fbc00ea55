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
pages() { find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort; }
prose() { awk '/^ *```/ {code = !code; next} !code && !/^    / {print FNR ":" $0}' "$1"; }
# anchors PAGE: prints the anchors of its headings, as GitHub makes them.
anchors() {
    awk '/^ *```/ {code = !code} !code && /^#+ / {
        sub(/^#+ +/, "")
        $0 = tolower($0)
        gsub(/[][!"#$%&\047()*+,.\/:;<=>?@\\^`{|}~]/, "")
        gsub(/ /, "-")
        print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
    }' "$1"
}
broken_links() {
    pages | while read -r page; do
        prose "$page" | sed 's/`[^`]*`//g' | grep -oE '^[0-9]+:|\]\([^) ]+' | while read -r hit; do
            case $hit in
            *:) line=$hit && continue ;;
            esac
            target=${hit#](}
            case $target in
            http://* | https://* | mailto:*) continue ;;
            esac
            file=${target%%#*} anchor=
            case $target in *#*) anchor=${target#*#} ;; esac
            path=$(dirname "$page")/$file
            [ -n "$file" ] || path=$page
            if [ ! -e "$path" ]; then
                echo "$page:$line no such file: $target"
            elif [ -n "$anchor" ] && ! anchors "$path" | grep -qxF -- "$anchor"; then
                echo "$page:$line no such heading: $target"
            fi
        done
    done
}
lost_sources() {
    pages | while read -r page; do
        prose "$page" | grep -oE '`(cli|extras|include|models|parts|plots|scenarios|schema|sim|tests)/[A-Za-z0-9_./-]+`' |
            tr -d "\`" | grep -vE "[A-Z][A-Z]|\.\.\." | sort -u | while read -r file; do
            [ -e "$file" ] || [ -e "$(dirname "$page")/$file" ] || echo "$page names $file"
        done
    done
}
check "every link leads somewhere" "$(broken_links)"
check "every source that a page names is there" "$(lost_sources)"
check "every page of docs/ is in its index" "$(find docs -name '*.md' -not -path docs/README.md | sort | while read -r page; do
    grep -qF "](${page#docs/})" docs/README.md || echo "$page"
done)"
sh docs/reference/make.sh "$WATTSINK" "$scratch" || status=1
for page in kinds commands results; do
    check "the reference of $page is current" "$(cmp "$scratch/$page.md" "docs/reference/$page.md" 2>&1)"
done
exit $status
