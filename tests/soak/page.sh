#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh FOLDER: prints docs/reliability.md from what the parts of `make soak` left in FOLDER (run.sh).
set -u
soak=$1
about() { sed -n "s/^$2 //p" "$soak/$1/about" 2>/dev/null; }
# A row for each file of counts: its part, its name, and its description. Other files are left out, because the tests
# that `coverage` and `mutate` run write counts as well.
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
commit=$(sed -n 's/^commit //p' "$soak"/*/about 2>/dev/null | sort -u | tr '\n' ' ')
commit=${commit% }
system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null)
memory=$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1024 / 1024}' /proc/meminfo 2>/dev/null)
cat <<END
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<!-- Written by \`make soak\` (tests/soak/page.sh). -->
# Reliability

What was done to the program to make it fail, and what became of it. \`make soak\` does it and writes this page; all numbers
are of one commit, and what was not done at that commit is "not run". [CONTRIBUTING](../CONTRIBUTING.md) says what the parts
of \`make soak\` are.

Commit: ${commit:-none}. Machine: $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, ${memory:-unknown} of memory, ${system:-$(uname -s)}.

| what was done | how often | outcome | repeat it by |
|---|---|---|---|
END
echo "$rows" | while read -r part name what; do
    counts=$(awk -F ': ' '{
            n = split($2, word, " ")
            if (!($1 in sum)) label[++labels] = $1
            sum[$1] += word[1]
            if (word[1] ~ /[.]/) parted[$1] = 1
            unit[$1] = n > 1 ? " " word[2] : ""
        }
        END {
            for (i = 1; i <= labels; i++) {
                l = label[i]
                printf("%s%s: " (parted[l] ? "%.1f" : "%.0f") "%s", (i > 1 ? "; " : ""), l, sum[l], unit[l])
            }
        }' \
        "$soak/$part/counts/$name" 2>/dev/null)
    outcome=$(about "$part" outcome)
    case $outcome in
    passed | FAILED)
        if [ "$outcome$counts" = passed ]; then
            outcome="not run"
        else
            outcome="$outcome, $(about "$part" date), $((($(about "$part" seconds) + 59) / 60)) min"
        fi ;;
    '') outcome="not run" ;;
    esac
    echo "| $what | $counts | $outcome | \`make soak PARTS=$part\` |"
done
cat <<'END'

The minutes are those of the whole part. "Survived": the work was resumed from what was left, and the results were byte for
byte those of an undisturbed run.
END
[ ! -s "$soak/suite/log" ] || {
    printf '\nThe runs of the suite:\n\n'
    grep '^run [0-9]* of ' "$soak/suite/log" | sed 's/^/    /'
}
