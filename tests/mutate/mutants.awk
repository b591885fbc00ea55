# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v seed=N -f mutants.awk LINES SOURCE...: one mutation of each executed line, in an order drawn by the seed. LINES
# has a line FILE:LINE for each. Prints FILE, line, column, length, replacement and what is replaced, between tabs.
# clang-format puts spaces around binary operators only, so that " * " is a product and "*p" is not.

function draw(n) # a whole number from 0 to n - 1, the same with every awk
{
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * n)
}

function add(column, text, with) # keeps one of the mutations of the line, each with the same chance
{
    if (draw(++fits) == 0)
        chosen = column "\t" length(text) "\t" with "\t" text
}

# Adds a mutation for each place of the text on the line.
function swap(text, with,    from, at)
{
    for (from = 1; (at = index(substr(code, from), text)) > 0; from += at + length(text) - 1)
        add(from + at - 1, text, with)
}

function binary(op, with) { swap(" " op " ", " " with " ") }

function constants(    from, text, before, value)
{
    for (from = 1; match(substr(code, from), /[0-9]+\.?[0-9]*(e[-+]?[0-9]+)?/); from += RSTART + RLENGTH - 1) {
        text = substr(code, from + RSTART - 1, RLENGTH)
        before = from + RSTART > 2 ? substr(code, from + RSTART - 2, 1) : " "
        if (before ~ /[A-Za-z0-9_.]/ || substr(code, from + RSTART + RLENGTH - 1, 1) ~ /[A-Za-z_]/)
            continue
        if (substr(code, 1, from + RSTART - 2) ~ /memset\([^,]*, $/)
            continue # memset with 1 instead of 0 makes doubles of 1e-303, which no test can tell from 0
        value = text + 0
        add(from + RSTART - 1, text, text !~ /[.e]/ ? value + 1 : value == 0 ? "1.0" : "(1.1 * " text ")")
    }
}

# Negates the condition of an if or while, if it ends on the line.
function negate(word,    at, i, depth, c)
{
    if ((at = index(code, word " (")) == 0)
        return
    at += length(word) + 1
    for (i = at; i <= length(code); i++) {
        c = substr(code, i, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0) {
            add(at, substr($0, at, i - at + 1), "(!" substr($0, at, i - at + 1) ")")
            return
        }
    }
}

# Removes a whole statement that assigns or calls. The line before must end a statement, or open a block or a branch.
function remove(    text, at)
{
    match(code, /^ */)
    at = RLENGTH + 1
    text = substr(code, at)
    if (before_ends && (text ~ /^[*a-z_][A-Za-z0-9_.>*+[\]-]* [-+*\/|&]?= .*;$/ || text ~ /^[a-z_][a-z0-9_]*\(.*\);$/) &&
        gsub(/\(/, "(", text) == gsub(/\)/, ")", text))
        add(at, substr($0, at), ";")
}

# Returns the line with spaces in place of comments and of text in quotes.
function masked(line,    out, i, c, two)
{
    out = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (comment) {
            if (two == "*/") { comment = 0; i++; out = out " " }
            out = out " "
        } else if (quote != "") {
            if (c == "\\") { i++; out = out " " }
            else if (c == quote) quote = ""
            out = out " "
        } else if (two == "/*") { comment = 1; i++; out = out "  " }
        else if (two == "//") return out
        else if (c == "\"" || c == "'") { quote = c; out = out " " }
        else out = out c
    }
    quote = ""
    return out
}

BEGIN {
    state = seed % 2147483646 + 1
    for (i = 0; i < 10; i++)
        draw(1)
}
FNR == 1 { file++; comment = 0; before_ends = 0 }
file == 1 { executed[$0] = 1; next }
{
    code = masked($0)
    if ((FILENAME ":" FNR) in executed && code ~ /^ / && code !~ /[Ss]tatic_assert|^ *(static|typedef) /) {
        fits = 0
        binary("<", "<="); binary("<=", "<"); binary(">", ">="); binary(">=", ">")
        binary("==", "!="); binary("!=", "==")
        binary("+", "-"); binary("-", "+"); binary("*", "/"); binary("/", "*")
        swap("&&", "||"); swap("||", "&&")
        swap("wsk_min(", "wsk_max("); swap("wsk_max(", "wsk_min("); swap("fmin(", "fmax("); swap("fmax(", "fmin(")
        swap("return true;", "return false;"); swap("return false;", "return true;")
        negate("if"); negate("while")
        constants()
        remove()
        if (code ~ /^ *return [a-z].*;$/ && code !~ /return (true|false);/) {
            match(code, /return .*;/)
            add(RSTART, substr($0, RSTART, RLENGTH), "return 0;")
        }
        if (fits)
            drawn[n++] = FILENAME "\t" FNR "\t" chosen
    }
    if (code !~ /^ *$/)
        before_ends = code ~ /([;{}:]|else) *$/ || code ~ /^ *(if|for|while) .*\) *$/
}
END {
    for (i = n - 1; i > 0; i--) {
        k = draw(i + 1)
        swapped = drawn[i]; drawn[i] = drawn[k]; drawn[k] = swapped
    }
    for (i = 0; i < n; i++)
        print drawn[i]
}
