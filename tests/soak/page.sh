#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh RECORD: prints docs/reliability.md from the record of `make soak` (run.sh).
set -u
record=$1
# A row for each file of counts: its part, its name, and its description. Counts of other names are left out, because the
# tests that `coverage` and `mutate` run write counts as well.
rows='suite suite The whole test suite, again and again, while another process keeps one core busy
property property Random rigs: energy is conserved, equal rigs give equal bits, and the other laws
kills kills Programs killed or interrupted in the middle of their work, then resumed
kills powercuts Power cuts in the worst case: what no fsync has put on disk is lost
kills inputs Wrong rigs, parts and data files
faults memory Memory that runs out
faults io Reads, writes and other calls on files that fail
twin twin A twin that gets orders without pause, whose clients are killed, and which is killed itself
fuzz fuzz Random and mutated inputs, under the address and undefined-behaviour sanitizers
coverage coverage Code that the tests execute
mutate mutants Mistakes put into the source, which the tests should notice'
cat <<'END'
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<!-- Written by `make soak` (tests/soak/page.sh). -->
# Reliability

What was done to the program to make it fail, and what became of it. `make soak` does it and writes this page.
[CONTRIBUTING](../CONTRIBUTING.md) says what its parts are. They take hours, so each row says at which commit its part last
ran.

| what was done | how often | outcome | at commit | repeat it by |
|---|---|---|---|---|
END
echo "$rows" | while read -r part name what; do
    awk -F '\t' -v part="$part" -v name="$name" -v what="$what" '
        $1 == part && ($2 == name || $2 == "-") { found = 1; commit = $3; date = $4; s = $5; outcome = $6 }
        $1 == part && $2 == name { counts = $7 }
        $1 == part && $2 == name && part == "suite" { runs++; split($7, n, " "); tests += n[1]; all_s += s }
        END {
            if (part == "suite" && runs) {
                counts = sprintf("runs in a row: %d; tests passed: %d", runs, tests)
                s = all_s
            }
            printf("| %s | %s | %s | %s | `make soak PARTS=%s` |\n", what, counts,
                   found ? sprintf("%s, %s, %d min", outcome, date, (s + 59) / 60) : "not run", commit, part)
        }' "$record"
done
cat <<'END'

The minutes are those of the whole part. "Survived": the work was resumed from what was left, and the results were byte for
byte those of an undisturbed run.
END
grep -q "^suite	" "$record" || exit 0
printf '\nThe runs of the suite, with no other between them:\n\n'
awk -F '\t' '$1 == "suite" { printf("    run %d: %s, %d s, %s, commit %s\n", ++n, $7, $5, $4, $3) }' "$record"
