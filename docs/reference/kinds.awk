# SPDX-License-Identifier: GPL-3.0-or-later
# Formats the output of `wattsink kinds`: a heading per element, a table per kind.
function cell(s)
{
    gsub(/</, "\\&lt;", s)
    gsub(/\|/, "\\|", s)
    return s == "" ? " " : s
}
# Removes the last "; WORD..." from row and returns the text after it; "" if there is none.
function behind(pattern,    at, rest)
{
    if (!match(row, "; " pattern "$"))
        return ""
    rest = substr(row, RSTART + 2)
    row = substr(row, 1, RSTART - 1)
    return rest
}
/^</ {
    match($0, /^<[^ ]*/)
    element = substr($0, 2, RLENGTH - 1)
    if (element != last)
        printf "\n## %s\n", element
    last = element
    split($0, q, "\"")
    help = substr($0, index($0, ": ") + 2)
    printf "\n`<%s kind=\"%s\">`%s: %s\n", element, q[2], /, the default kind: / ? ", the default" : "", cell(help)
    head = 0
    next
}
/^  holds / {
    printf "\nHolds %s.\n", cell(substr($0, 9))
    next
}
/^  / {
    name = $1
    row = $0
    sub(/^  [^ ]+ +/, "", row)
    rule = only = need = value = range = unit = ""
    only = behind("in rigs only")
    need = behind("required")
    if (match(row, / \(assumed: .*\)$/)) {
        rule = substr(row, RSTART + 11, RLENGTH - 12)
        row = substr(row, 1, RSTART - 1)
    }
    if (match(row, /; default [^;]*$/)) {
        value = substr(row, RSTART + 10)
        row = substr(row, 1, RSTART - 1)
    }
    range = behind("(above 0|at least|from [-0-9])[^;]*")
    unit = behind("(number|whole number|fraction|text|date and time|one of [^;]*|curve of [^;]*|data file of [^;]*|[^;]* \\([^;()]*\\))")
    if (!head++)
        print "\n| attribute | value | range | default | what it is |\n|---|---|---|---|---|"
    printf "| `%s` | %s | %s | %s | %s%s%s |\n", name, cell(unit == "" ? "text" : unit), cell(range), cell(need != "" ? "required" : value),
        cell(row), only == "" ? "" : " (in rigs only)", rule == "" ? "" : " (*assumed*: " cell(rule) ")"
}
