#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
run=$PWD/tests/run
. "$(dirname "$0")/judged.inc"
said=$scratch/said
cd "$scratch" || exit 1
judge() {
    seconds=$1
    shift
    env BUILD=build TEST_SECONDS="$seconds" JOBS=2 sh "$run" "$@" >said 2>&1
    got=$?
}
says() { grep -qE -- "$1" "$said"; }

echo 'echo ok one; echo ok two; echo skip three' >good.sh
echo 'exit 0' >silent.sh
echo 'echo nothing to see here; exit 77' >skipped.sh
judge 60 good.sh silent.sh skipped.sh
check "scripts that pass: exit status 0" [ $got = 0 ]
check "ok and skip lines are counted; a script without any counts by its status" says '^3 passed, 0 failed, 2 skipped$'
check "scripts that pass: no logs stay" [ -z "$(ls build/test-logs)" ]

cat >bad.sh <<'END'
echo ok one; echo not ok two; echo '    why two failed'; exit 1
END
echo 'echo ok one; exit 3' >status.sh
echo 'exit 3' >mute.sh
echo 'echo ok one; kill -KILL $$' >killed.sh
judge 60 good.sh bad.sh status.sh mute.sh killed.sh absent.sh
check "one script that fails: exit status 1" [ $got = 1 ]
check "a script that fails is named" says '^FAIL  bad\.sh \(1 of 2, status 1\)$'
check "and its output is shown" says '^ +why two failed$'
check "a status without a failed line is a failure" says '^FAIL  status\.sh \(1 of 2, status 3\)$'
check "a script that fails without output is named" says '^FAIL  mute\.sh \(1 of 1, status 3\)$'
check "a script that is killed is named, and not as late" says '^FAIL  killed\.sh \(1 of 2, status 137\)$'
check "a script that does not exist is named" says '^FAIL  absent\.sh '
check "passed, failed and skipped tests are counted" says '^5 passed, 5 failed, 1 skipped$'
check "where something failed the logs stay" grep -rq 'why two failed' build/test-logs

printf '#!/bin/sh\nexit 0\n' >program && chmod +x program
judge 60 program
check "a program without a test in it has failed" says '^FAIL  program \(1 of 1, status 0\)$'
judge 60 skipped.sh
check "a run without any test: exit status 1" [ $got = 1 ]

cat >hangs.sh <<'END'
echo ok the first
sleep 600 & echo $! >child
setsid sleep 600 & echo $! >apart
wait
END
cat >deaf.sh <<'END'
trap '' TERM
sh -c 'echo $$ >stubborn; exec sleep 600'
END
judge 5 good.sh hangs.sh deaf.sh
check "one script that hangs: exit status 1" [ $got = 1 ]
check "a script that hangs is named, with its time limit" says '^FAIL  hangs\.sh \(over 5 s; '
check "and its output until then is shown" says '^ +ok the first$'
check "a child of the script that hangs has ended" gone "$(cat child)"
check "a child in its own session has ended too" gone "$(cat apart)"
check "a script that ignores SIGTERM is named too" says '^FAIL  deaf\.sh \(over 5 s; '
check "and the child of that script has ended" gone "$(cat stubborn)"
check "the other scripts are counted beside one that hangs" says '^3 passed, 2 failed, 1 skipped$'
judge soon good.sh
check "a time limit that is not a number is refused" [ $got = 2 ]

# A test that is started by nohup or with `&` must still have the default signal handling of a terminal.
cat >signals.sh <<'END'
grep -q '^SigIgn:.*0$' /proc/$$/status && echo ok none
for signal in HUP INT TERM; do sh -c "kill -$signal \$\$" || echo ok $signal; done
END
(trap '' HUP INT TERM; BUILD=build sh "$run" signals.sh >said 2>&1)
check "signals that the parent ignores work in tests" says '^ok    signals\.sh \(4\)$'

rm -f child apart
(
    env --default-signal BUILD=build setsid sh "$run" hangs.sh >said 2>&1 &
    echo $! >runner
    wait
) &
until [ -s apart ]; do sleep 0.02; done
kill -INT -"$(cat runner)"
wait
check "Ctrl-C ends the tests too" gone "$(cat child)"
[ ! -s apart ] || kill "$(cat apart)" 2>/dev/null
exit $status
