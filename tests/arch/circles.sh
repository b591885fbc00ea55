#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks by the symbols of the object files that files and folders do not call each other in circles, and call only what
# docs/architecture.md allows. The tables of commands and of kinds are left out, because they refer to everything.
set -u
objects=$(dirname "$WATTSINK")/obj
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Lines "FOLDER: folders that its files may call, besides their own". "public" stands for the headers in include/.
cat >"$scratch/order" <<'END'
sim/base:
sim/num: sim/base
sim/log: sim/base
sim/net: sim/num sim/base
models: sim/net sim/num sim/base
sim/io: sim/log sim/net sim/num sim/base
sim/control: sim/net sim/num sim/base
sim/books: sim/control sim/net sim/num sim/base
sim/step: sim/books sim/control sim/net sim/num sim/base
sim/results: sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/say: public sim/base
sim/study/trip: sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/kit: sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/export: sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/spread: sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/findings: sim/study/trip sim/study/spread sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/check: sim/study/findings sim/study/trip sim/study/spread sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/advice: sim/study/findings sim/study/trip sim/study/spread sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/optimise: sim/study/findings sim/study/spread sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim/study/calibrate: sim/study/kit sim/say sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
sim: sim/study/trip sim/study/kit sim/study/export sim/study/spread sim/study/findings sim/study/check sim/study/advice sim/study/optimise sim/study/calibrate sim/say sim/log sim/results sim/step sim/books sim/control sim/io sim/net sim/num sim/base
words: public sim/base
draw: words sim/say public sim/base
twin:
twin/nvml: twin
cli/kit: words public sim/base
cli/calibrate: twin cli/plot cli/kit draw words public sim/base
cli/run: cli/plot cli/kit draw words public sim/base
cli/compare: cli/plot cli/kit draw words sim/say public sim/base
cli/plot: cli/kit draw words public sim/base
cli/twin: twin cli/kit draw words public sim/base
cli/smi: twin cli/kit words public sim/base
cli/sweep: cli/plot cli/kit draw words public sim/base
cli/suggest: cli/kit words public sim/base
cli/optimise: cli/plot cli/kit draw words public sim/base
cli: cli/suggest cli/twin cli/smi twin cli/optimise cli/sweep cli/calibrate cli/compare cli/run cli/plot cli/kit draw words public sim/base
END
find "$objects" -name '*.o' | sort | while read -r object; do
    file=${object#"$objects"/}
    file=${file%.o}
    case $file in
    registry | cli/commands | tests/*) continue ;;
    po/*) ;;
    *) [ -e "$file.c" ] || continue ;;
    esac
    echo "$object"
done >"$scratch/objects"
# Calls of malloc and the like count as calls of the C library, although cli/kit/memory.c replaces them.
xargs -d '\n' nm -gA <"$scratch/objects" | sed "s|^$objects/||" | awk '
    $3 ~ /^(malloc|calloc|realloc|aligned_alloc)$/ { next }
    { kind = $1 ~ /:$/ ? "U" : "D"; sub(/\.o:.*/, "", $1); print $1, kind, $3 }' >"$scratch/symbols"
grep -hoE 'wsk_[a-z0-9_]+ *\(' include/*.h | tr -d ' (' | sort -u >"$scratch/public"

exec awk -v status=0 '
function folder_of(file) {
    if (file ~ /^models\//) return "models"
    if (file ~ /^po\//) return "words"
    sub(/\/[^\/]*$/, "", file)
    return file
}
function walk(graph, from, reached,    k, n, list) {
    n = split(next_of[graph, from], list, " ")
    for (k = 1; k <= n; k++)
        if (!(list[k] in reached)) { reached[list[k]] = 1; walk(graph, list[k], reached) }
}
function edge(graph, a, b, symbol) {
    if (!((graph, a, b) in why)) next_of[graph, a] = next_of[graph, a] " " b
    else if (split(why[graph, a, b], words_, " ") >= 6) { more[graph, a, b]++; return }
    if (index(" " why[graph, a, b] " ", " " symbol " ") == 0) why[graph, a, b] = why[graph, a, b] " " symbol
}
function calls(graph, a, b) {
    return "    " a " calls " b ":" why[graph, a, b] ((graph, a, b) in more ? " ..." : "") "\n"
}
function circles(graph, what,    i, j, k, n, list, reached, back, told, names, text, any) {
    for (i in known)
        if (known[i] == graph) {
            node = substr(i, length(graph) + 2)
            if (node in told) continue
            split("", reached); walk(graph, node, reached)
            if (!(node in reached)) continue
            names = node; split("", back); back[node] = 1
            for (j in reached) {
                if (j == node) continue
                split("", there); walk(graph, j, there)
                if (node in there) { back[j] = 1; names = names " " j }
            }
            text = ""
            for (j in back) {
                told[j] = 1
                n = split(next_of[graph, j], list, " ")
                for (k = 1; k <= n; k++) if (list[k] in back) text = text calls(graph, j, list[k])
            }
            printf "not ok a circle of %s: %s\n%s", what, names, text
            any = status = 1
        }
    if (!any) print "ok no circle of " what
}
FILENAME ~ /order$/ {
    who = substr($1, 1, length($1) - 1); ordered[who] = 1
    for (i = 2; i <= NF; i++) may[who, $i] = 1
    next
}
FILENAME ~ /public$/ { public[$1] = 1; next }
$2 == "D" { home[$3] = $1 }
$2 == "U" { used[++uses] = $1 " " $3 }
END {
    for (u = 1; u <= uses; u++) {
        split(used[u], part, " ")
        a = part[1]; symbol = part[2]
        if (!(symbol in home) || (b = home[symbol]) == a) continue
        known["files " a] = known["files " b] = "files"
        edge("files", a, b, symbol)
        from = folder_of(a); to = folder_of(b)
        if (from != to) {
            known["folders " from] = known["folders " to] = "folders"
            edge("folders", from, to, symbol)
        }
        if (!(from in ordered)) { unknown[from] = 1; continue }
        if (from == to ? from == "models" : !((from, to) in may) && !((from, "public") in may && symbol in public))
            { edge("forbidden", a, b, symbol); against[from " may not call " to] = 1; pair[a, b] = from " may not call " to }
    }
    circles("files", "files")
    circles("folders", "folders")
    for (f in against) {
        print "not ok " f
        forbidden = status = 1
        for (e in why) {
            split(e, part, SUBSEP)
            if (part[1] == "forbidden" && pair[part[2], part[3]] == f) printf "%s", calls("forbidden", part[2], part[3])
        }
    }
    if (!forbidden) print "ok all calls go down the order"
    for (f in unknown) { print "not ok a folder without a place in the order: " f; status = 1 }
    if (!uses) { print "not ok there are objects to look at"; status = 1 }
    exit status
}' "$scratch/order" "$scratch/public" "$scratch/symbols"
