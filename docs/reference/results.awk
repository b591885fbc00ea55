# SPDX-License-Identifier: GPL-3.0-or-later
# Formats the rows of include/wattsink_results.h and wattsink_compared.h as tables, one per scope. The header has one row per line.
function unquote(s) { gsub(/^ *"|" *$/, "", s); return s }
function trim(s) { gsub(/^ +| +$/, "", s); return s }
# Splits a line such as X(A, B, "text, with commas", 1) \ into its fields f[].
function split_row(line, f,    n, in_text, i, c) {
    for (i in f) delete f[i]
    sub(/^ *X\(/, "", line); sub(/\) *\\\\? *$/, "", line)
    n = 1; f[1] = ""; in_text = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") in_text = !in_text
        if (c == "," && !in_text) { n++; f[n] = ""; continue }
        f[n] = f[n] c
    }
    return n
}
function add(scope, f,    key, unit, shown) {
    key = unquote(trim(f[4])); unit = unquote(trim(f[6])); shown = trim(f[11])
    row = "| `" key "` | " unquote(trim(f[5])) when[shown] " | " unit " | " \
        word[trim(f[8])] " | " word[trim(f[9])] " | " (trim(f[10]) == "BAND" ? "yes" : "") " |"
    rows[scope] = rows[scope] row "\n"
    if (trim(f[3]) ~ /^OF_/) list[substr(trim(f[3]), 4)] = key
}
BEGIN {
    word["LESS"] = "less"; word["MORE"] = "more"; word["NEITHER"] = ""; word["NONE"] = ""
    when["IF_SO"] = "; only if so"; when["LATE"] = "; only once it has happened"
    word["MAX"] = "max"; word["MIN"] = "min"; word["MEAN"] = "mean"; word["SUM"] = "sum"
    n_scopes = split("RIG COMPARED COMPARISON GPU PSU CIRCUIT CASE LOOP FAN PERIOD MONTH CHANGE VAIN", order, " ")
    title["RIG"] = "The rig"; title["COMPARED"] = "A case of a comparison, beside the rig's"; title["COMPARISON"] = "The head of compare.json"
}
/^#define/ { inner = /CHANGE_LIST/ }
/^ *X\(/ && split_row($0, f) >= 12 {
    if (inner) { add("CHANGE", f); add("VAIN", f) } else add(trim(f[2]), f)
}
END {
    for (i = 1; i <= n_scopes; i++) {
        s = order[i]
        print "\n## " (s in list ? "`" list[s] "[]`" : title[s]) "\n"
        print "| key | meaning | unit | better | of all | uncertainty |\n|---|---|---|---|---|---|"
        printf "%s", rows[s]
    }
}
