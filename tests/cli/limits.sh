#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs extras/measure/limits.sh with a fake card and a fake clock.
. "$(dirname "$0")/helpers.inc"
mkdir fake
cat >fake/nvidia-smi <<'END'
#!/bin/sh
# A card that draws its limit, at 5 MHz for each watt; one reading of the clock in ten is missing. It takes 100.50 to 320 W.
while [ $# -gt 0 ]; do
    case $1 in
    -pl) [ ! -e "$FAKE/locked" ] || exit 4; LC_ALL=C awk -v w="$2" 'BEGIN { exit !(w >= 100.5 && w <= 320) }' || exit 4; echo "$2" >"$FAKE/limit"; echo "$2" >>"$FAKE/set"; exit 0 ;;
    --query-gpu=power.limit) cat "$FAKE/limit"; exit 0 ;;
    --query-gpu=power.min_limit) echo 100.50; exit 0 ;;
    --query-gpu=power.draw,*) LC_ALL=C awk -v now="$(cat "$FAKE/now")" '{ printf "%.2f, %s, %d\n", $1, (now % 10 == 7 ? "[N/A]" : 5 * $1), 40 + $1 / 10 }' "$FAKE/limit"; exit 0 ;;
    -i) [ "$2" = 0 ] || exit 6; shift ;;
    esac
    shift
done
END
cat >fake/sleep <<'END'
#!/bin/sh
now=$(cat "$FAKE/now") && echo $((now + $1)) >"$FAKE/now"
LC_ALL=C awk -v seconds="$1" -v w="$(cat "$FAKE/limit")" '{ print $1 + seconds * w / 2 }' "$FAKE/done" >"$FAKE/more" && mv "$FAKE/more" "$FAKE/done"
[ ! -e "$FAKE/stop" ] || kill -TERM "$(ps -o ppid= -p $$ | tr -d ' ')"
END
cat >fake/date <<'END'
#!/bin/sh
case $1 in +%s) cat "$FAKE/now" ;; *) echo 12:00:00 ;; esac
END
chmod +x fake/*
FAKE=$PWD/fake PATH=$PWD/fake:$PATH
export FAKE PATH
fresh() { echo 300.00 >fake/limit; echo 1000 >fake/now; echo 5 >fake/done; : >fake/set; }
script=$top/extras/measure/limits.sh
fresh
exits 0 "five limits" "$script" -o rows.csv --settle 10 --mean 20 --counter "cat $FAKE/done"
[ "$(tr '\n' ' ' <fake/set)" = "300.00 250.12 200.25 150.38 100.50 300.00 " ] && pass "limits are set from the present one downwards, and the first again at the end" || fail "limits are set from the present one downwards, and the first again at the end" "$(cat fake/set)"
[ "$(sed -n 3p rows.csv)" = "250.12,250.12,1250.6,65.0,125.06" ] && pass "a row has mean watts, clock and temperature, and the rate of work" || fail "a row has mean watts, clock and temperature, and the rate of work" "$(cat rows.csv)"
[ ! -e rows.csv.rows ] && pass "the temporary table is deleted" || fail "the temporary table is deleted"
exits 0 "calibrate reads them" "$wattsink" calibrate "$top/scenarios/own-card/rig.xml" --parts "$top/parts" --sweep rows.csv --dry-run
exits 1 "not over an existing file" "$script" -o rows.csv
# An awk of a locale with decimal commas, as mawk is one.
cat >fake/awk <<END
#!/bin/sh
[ "\$LC_ALL" = C ] && exec $(command -v awk) "\$@"
$(command -v awk) "\$@" | tr . ,
END
chmod +x fake/awk
fresh
exits 0 "five limits where numbers have commas" env LC_ALL=de_DE.UTF-8 "$script" -o commas.csv --settle 10 --mean 20 --counter "cat $FAKE/done"
rm fake/awk
cmp -s rows.csv commas.csv && pass "the rows are the same" || fail "the rows are the same" "$(cat commas.csv fake/set)"
fresh
: >train.log
exits 0 "a counter of grep that begins with 0" "$script" -o zero.csv --steps 2 --settle 10 --mean 20 --counter 'grep -c "^step" train.log'
[ "$(cut -d, -f5 zero.csv | tr '\n' ' ')" = "work   " ] && pass "leaves the work open" || fail "leaves the work open" "$(cat zero.csv)"
exits 1 "a counter of grep without its file" "$script" -o none.csv --counter 'grep -c "^step" gone.log'
says err '--counter failed' "is told"
fresh
exits 0 "without a counter" "$script" -o plain.csv --steps 2 --lowest 200 --settle 1 --mean 1
[ "$(cat plain.csv)" = "power.limit [W],power.draw [W],clocks.sm [MHz],temperature.gpu
300.00,300.00,1500.0,70.0
200.00,200.00,1000.0,60.0" ] && pass "no column of work" || fail "no column of work" "$(cat plain.csv)"
fresh
exits 0 "a lowest limit below what the card takes" "$script" -o low.csv --steps 2 --lowest 90 --settle 1 --mean 1
says err 'the card takes no less than 100\.50 W' "is told"
[ "$(tr '\n' ' ' <fake/set)" = "300.00 100.50 300.00 " ] && pass "and the lowest limit of the card is used" || fail "and the lowest limit of the card is used" "$(cat fake/set)"
fresh
: >fake/stop
"$script" -o ended.csv >out 2>err
got=$?
rm fake/stop
[ $got = 130 ] && [ "$(tail -n 1 fake/set)" = 300.00 ] && pass "ended midway, the limit comes back" || fail "ended midway, the limit comes back" "exit $got: $(cat err fake/set)"
fresh
: >fake/locked
exits 1 "a limit that cannot be set" "$script" -o locked.csv
says err 'could not be set; root can' "says who can"
lacks err 'again' "not that a limit which nobody changed is still to be set"
absent locked.csv "and leaves no file, so that root may give the same command"
rm fake/locked
exits 1 "no such card" "$script" -o none.csv -g 3
exits 1 "a counter that prints words" "$script" -o none.csv --counter 'echo many'
fresh
cat >fails-later <<'END'
#!/bin/sh
[ "$(cat "$FAKE/now")" -lt 1050 ] && cat "$FAKE/done"
END
chmod +x fails-later
exits 1 "a counter that fails later" "$script" -o later.csv --settle 10 --mean 20 --counter "$PWD/fails-later"
says err '--counter failed' "is told"
[ "$(awk -F, '{ print NF }' later.csv | tr '\n' ' ')" = "5 5 " ] && pass "the rows before it are whole" || fail "the rows before it are whole" "$(cat later.csv)"
[ "$(tail -n 1 fake/set)" = 300.00 ] && [ ! -e later.csv.rows ] && pass "the limit comes back, and nothing temporary is left" || fail "the limit comes back, and nothing temporary is left" "$(cat fake/set; ls)"
exits 1 "a lowest limit above the present" "$script" -o none.csv --lowest 400
exits 1 "no number" "$script" -o none.csv --steps two
exits 2 "no file" "$script"
exits 0 "help" "$script" --help
exit $status
