#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh BUILD: reports which lines and branches of the source the programs in BUILD executed, and fails below the
# thresholds. A branch that is left out of the count has gcovr's marker GCOVR_EXCL_BR_LINE with a reason on its line;
# more than 2 % of all branches are an error. If WATTSINK_COUNTS names a folder, the shares are written to its file
# `coverage`. With BUDGET=told, shares below the thresholds are only reported.
set -eu
build=$1
models=92 program=90 left_out=2

# table PREFIX FILE: writes the counts to FILE, without the lines that have a marker with this prefix.
table() {
    gcovr -r . --object-directory "$build" -f 'sim/' -f 'models/' -f 'cli/' -f 'draw/' -f 'words/' \
        --exclude-unreachable-branches --exclude-pattern-prefix "$1" --csv "$2" "$build"
}
table GCOVR "$build/coverage.csv"
table NONE "$build/all.csv"
grep -rn GCOVR_EXCL sim models cli draw words >"$build/left-out.txt" || :

awk -F, -v models="$models" -v program="$program" -v left_out="$left_out" -v counts="${WATTSINK_COUNTS:+$WATTSINK_COUNTS/coverage}" \
    -v marks="$build/left-out.txt" '
    function share(taken, of) { return of ? 100 * taken / of : 100 }
    function row(name, k) {
        printf "%-34s %6d %6d %6.1f %% %7d %6.1f %%\n", name, b[k], b[k] - taken[k], share(taken[k], b[k]), l[k], share(run[k], l[k])
    }
    function add(k) { l[k] += $2; run[k] += $3; b[k] += $5; taken[k] += $6 }
    function told(text) { print text; if (counts) print text > counts }
    function asked(name, part, least) {
        told(sprintf("branches in %s: %.1f %%", name, share(taken[part], b[part])))
        if (least && share(taken[part], b[part]) < least) failed = 1
    }
    FNR == 1 { file++; next }
    file == 1 { all += $5; next }
    {
        n = split($1, at, "/")
        folder = n > 2 ? at[1] "/" at[2] : at[1]
        add($1); add(folder " "); add(at[1] "  "); add("total")
        if (at[1] == "sim" || at[1] == "models") add("law"); else if (at[1] == "cli") add("cli")
        if (!(folder in known)) { known[folder] = 1; folders[++nf] = folder }
        if (!(at[1] in tops)) { tops[at[1]] = 1; top[++nt] = at[1] }
        files[++nn] = $1
    }
    END {
        printf "%-34s %6s %6s %8s %7s %8s\n", "", "branch", "untaken", "taken", "lines", "run"
        for (i = 1; i <= nn; i++) row(files[i], files[i])
        print ""
        for (i = 1; i <= nf; i++) row(folders[i] "/", folders[i] " ")
        print ""
        for (i = 1; i <= nt; i++) row(top[i], top[i] "  ")
        row("total", "total")
        print ""
        while ((getline mark < marks) > 0) print "left out: " mark
        asked("sim and models", "law", models)
        asked("cli", "cli", program)
        asked("all", "total")
        told(sprintf("lines in all: %.1f %%", share(run["total"], l["total"])))
        out = share(all - b["total"], all)
        told(sprintf("branches left out: %.2f %%", out))
        exit failed || out > left_out
    }' "$build/all.csv" "$build/coverage.csv" >"$build/summary.txt" || failed=1
cat "$build/summary.txt"
if [ "${failed-}" ]; then
    echo "coverage: asked of branches are $models % in sim and models, $program % in cli, and at most $left_out % left out" >&2
    [ "${BUDGET-}" = told ]
fi
