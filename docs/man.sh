#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# man.sh COMMAND <HELP: writes the manual page of a command. Options and example come from `wattsink help COMMAND` on
# standard input, the description from its paragraph in docs/wattsink.1, so that each text exists once.
set -eu
command=$1
main=$(dirname "$0")/wattsink.1

awk -v command="$command" -v main="$main" '
function escape(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); return s }
function styled(s,   out) {
    out = ""
    while (match(s, /--?[a-z][a-z-]*|[A-Z][A-Za-z0-9]*(=[A-Z][A-Z0-9,.]*)?(\.xml)?/)) {
        out = out escape(substr(s, 1, RSTART - 1)) (substr(s, RSTART, 1) == "-" ? "\\fB" : "\\fI") \
            escape(substr(s, RSTART, RLENGTH)) "\\fR"
        s = substr(s, RSTART + RLENGTH)
    }
    return out escape(s)
}
# roff would take a dot or quote at the start of a line for a request.
function line_of(s) { return (s ~ /^[.\047]/ ? "\\&" : "") escape(s) }
function text(s,   out) {
    while (length(s) > 78 && match(substr(s, 1, 78), /.* /)) {
        out = out line_of(substr(s, 1, RLENGTH - 1)) "\n"
        s = substr(s, RLENGTH + 1)
    }
    return out line_of(s)
}
function description(   line, on, nested) {
    while ((getline line < main) > 0) {
        if (line ~ /^\.Sh COMMANDS/) on = 1
        else if (on && line ~ /^\.Sh/) break
        else if (on && nested == 0 && line ~ /^\.It Cm /) on = line == ".It Cm " command ? 2 : 1
        else if (on == 2) {
            if (line ~ /^\.Bl/) nested++
            if (line ~ /^\.El/ && nested-- == 0) break
            print line
        } else if (on && line ~ /^\.Bl/ && started++) nested++
        else if (on && line ~ /^\.El/ && nested) nested--
    }
    close(main)
}
# The sentences of a text that tell exit codes.
function status_of(s,   out, one) {
    while (s != "") {
        one = match(s, /[.] [A-Za-z]/) ? substr(s, 1, RSTART) : s
        s = substr(s, length(one) + 2)
        if (one ~ /[Ee]xit code/) out = out (out == "" ? "" : " ") one
    }
    return out
}
function item(s) { print ".It " (s ~ /^-/ ? "\\&" : "") s }
NR == 1 {
    getline date < main; while (date !~ /^\.Dd/) getline date < main
    close(main)
    print ".\\\" SPDX-License-Identifier: GPL-3.0-or-later"
    print ".\\\" Written by `make man` from docs/wattsink.1 and the program\047s help."
    print date "\n.Dt WATTSINK-" toupper(command) " 1\n.Os\n.Sh NAME\n.Nm wattsink-" command
    sub(/^[^:]*: /, "")
    print ".Nd " $0
    next
}
/^usage: / {
    print ".Sh SYNOPSIS"
    sub("^usage: wattsink " command " ?", "")
    n = split($0, form, "  or  ")
    if (n == 0) n = 1
    for (i = 1; i <= n; i++) print ".Nm wattsink\n.Cm " command (form[i] == "" ? "" : "\n" styled(form[i]))
    print ".Sh DESCRIPTION"
    description()
    next
}
/^  -/ {
    if (!options++) print ".Sh OPTIONS\n.Bl -tag -width Ds"
    name = substr($0, 3, 20); sub(/ +$/, "", name)
    item(styled(name)); print text(substr($0, 23)); next
}
/^                      / { print text(substr($0, 23)); next }
/^example: / {
    if (options) print ".El"
    status = status_of(prose)
    print ".Sh EXIT STATUS" (status == "" ? "" : "\n" text(status))
    if (status !~ /those of/) print ".Xr wattsink 1\nlists the " (status == "" ? "" : "other ") "values."
    print ".Sh EXAMPLES\n.Dl " line_of(substr($0, 10)) "\n.Sh SEE ALSO\n.Xr wattsink 1"
    next
}
# After the options the help repeats the description, except for the sentences on exit codes.
/^[^ ]/ { prose = prose (prose == "" ? "" : " ") $0 }
' -
