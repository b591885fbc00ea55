#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Finds functions without a use. A function that only tests call from other files must be used in its own file as well.
# A function that include/ declares must be called by the program, the extras or the examples, or be in the list below,
# with the reason.
set -u
objects=$(dirname "$WATTSINK")/obj
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find "$objects" -name '*.o' | sort | while read -r object; do
    file=${object#"$objects"/}
    file=${file%.o}
    case $file in
    tests/* | twin/*) continue ;;
    registry | po/*) ;;
    *) [ -e "$file.c" ] || continue ;;
    esac
    echo "$object"
done >"$scratch/objects"
xargs -d '\n' nm -gA <"$scratch/objects" | sed "s|^$objects/||" | awk '
    { kind = $1 ~ /:$/ ? "U" : "D"; sub(/\.o:.*/, ".c", $1) }
    kind == "U" || $3 ~ /^wsk_/ { print $1, kind, $3 }' >"$scratch/symbols"
if ! grep -q ' D ' "$scratch/symbols"; then
    echo "not ok there are objects to look at"
    exit 1
fi
# The extras and the page in the browser are not among the program's object files, so their sources are searched
# instead.
names() { grep -ohE 'wsk_[a-z0-9_]+' "$@"; }
names include/*.h | sort -u >"$scratch/public"
names extras/*/*.c web/*.c docs/examples/*.c | sort -u | sed 's/^/elsewhere U /' >>"$scratch/symbols"
# A source that needs a library that is not installed has no object file either, so it is searched too. Functions that
# it defines itself do not count as used by it.
grep -rlE --include='*.c' '^#if.*WSK_(NETCDF|MICROHTTPD)' cli | while read -r file; do
    awk -v f="$file" '$1 == f && $2 == "D" { print $3 }' "$scratch/symbols" | sort >"$scratch/own"
    names "$file" | sort -u | comm -23 - "$scratch/own" | sed "s|^|$file U |"
done >"$scratch/optional"
cat "$scratch/optional" >>"$scratch/symbols"
find tests -name '*.[ch]' -exec grep -ohE 'wsk_[a-z0-9_]+' {} + | sort -u >"$scratch/tested"
awk 'FILENAME == ARGV[1] { public[$1] = 1; next } $2 == "D" { home[$3] = $1 } $2 == "U" { used[$3] = 1 }
    END { for (s in home) if (!(s in used) && !(s in public)) print home[s], s }' \
    "$scratch/public" "$scratch/symbols" | sort >"$scratch/alone"
# One line that names the symbol is its definition, so a use needs another line.
awk 'FILENAME == ARGV[1] { tested[$1] = 1; next }
    $1 != file {
        file = $1
        split("", lines)
        while ((getline line <file) > 0) {
            n = split(line, words, /[^A-Za-z0-9_]+/)
            split("", seen)
            for (i = 1; i <= n; i++) if (!seen[words[i]]++) lines[words[i]]++
        }
        close(file)
    }
    lines[$2] < 2 { print "    " file ": no use of " $2 ", except in tests at most"; next }
    !($2 in tested) { print "    " file ": only this file uses " $2 ", so it can be static" }' \
    "$scratch/tested" "$scratch/alone" >"$scratch/unused"
# These functions are offered to programs that use the library; neither the program nor an example calls them.
cat >"$scratch/offered" <<'END'
wsk_log_tell_holes holes of a log, for a replay of one's own; the library tells them in its replays
wsk_rig_advice changes to a rig that was not run
wsk_rig_export an export whose reasons are English, beside wsk_rig_export_page
wsk_rig_spread all uncertain inputs as JSON (docs/theory/uncertainty.md)
wsk_run_advice changes to a rig after a run, as text
wsk_said_argument reads a message as data, for a language of one's own
END
awk 'FILENAME == ARGV[1] { public[$1] = 1; next } FILENAME == ARGV[2] { offered[$1] = 1; next }
    $2 == "D" && $3 in public { home[$3] = $1 }
    $2 == "U" && ($1 ~ /^(cli|draw|words)\// || $1 == "elsewhere") { used[$3] = 1 }
    END {
        for (s in home) if (!(s in used) && !(s in offered)) print "    " home[s] ": no program uses " s ", which include/ offers"
        for (s in offered) if (!(s in home) || s in used) print "    tests/arch/unused.sh: " s " needs no reason"
    }' "$scratch/public" "$scratch/offered" "$scratch/symbols" | sort >>"$scratch/unused"
name="what is offered to others is used by others"
if [ ! -s "$scratch/unused" ]; then echo "ok $name" && exit 0; fi
echo "not ok $name"
cat "$scratch/unused"
exit 1
