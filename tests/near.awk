# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v most=SHARE -f tests/near.awk SAID WANTED: prints each line of WANTED that no line of SAID resembles. Lines
# resemble each other if they have the same words, and numbers within `most` or one unit of the last digit.
function words(s) { gsub(/[0-9.]+/, "#", s); gsub(/ +/, " ", s); return s }
function unit(s) { return s ~ /[.][0-9]/ ? 10 ^ -length(substr(s, index(s, ".") + 1)) : 1 }
function close_to(a, b, i, n, x, y, d) {
    n = split(a, x, /[^0-9.]+/); split(b, y, /[^0-9.]+/)
    for (i = 1; i <= n; i++) {
        d = x[i] - y[i]; d = d < 0 ? -d : d
        if (d > most * y[i] && d > 1.001 * unit(y[i])) return 0
    }
    return 1
}
{ sub(/^ +/, ""); sub(/ +$/, "") }
FNR == NR { line[++n] = $0; said[n] = words($0); next }
{ for (i = 1; i <= n && !(said[i] == words($0) && close_to(line[i], $0)); i++) ; if (i > n) print; seen = 1 }
END { if (!seen) print "no such line" }
