#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A fake nvidia-smi, a fake driver and a fake clock. The clock advances by a second when the load of the phase runs and
# the sampler has written a row.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
mkdir fake
mkfifo tick row
cat >fake/date <<'END'
#!/bin/sh
exec "$REAL_DATE" -u -d "@$((1785747600 + $(wc -l <"$FAKE/seconds")))" "$@"
END
cat >fake/sleep <<'END'
#!/bin/sh
# Moves the records of kernel launches to another file, so that `blocks` has only those of this phase.
cat "$FAKE/blocks" >>"$FAKE/all-blocks"
: >"$FAKE/blocks"
until case $(tail -n 1 "$FAKE"/now/phases.csv) in
    *,idle,* | *,rest,* | *,cool-down,*) true ;;
    *) [ -s "$FAKE/blocks" ] ;;
    esac; do "$REAL_SLEEP" 0.02; done
for _ in $(seq "$1"); do
    echo >"$FAKE/tick"
    read -r _ <"$FAKE/row"
    echo >>"$FAKE/seconds"
done
END
cat >fake/nvidia-smi <<'END'
#!/bin/sh
echo "$*" >>"$FAKE/asked"
fields= every= quiet= card=0
while [ $# -gt 0 ]; do
    case $1 in
    --query-gpu=*) fields=${1#*=} ;;
    -lms) every=$2; shift ;;
    -i) card=$2; shift ;;
    -q) echo "    Product Name : Fake"; echo "    GPU UUID : GPU-1234"; echo "    Default Power Limit : 300.00 W"; exit 0 ;;
    --format=*noheader*) quiet=1 ;;
    esac
    shift
done
[ "$card" = 0 ] || exit 6
case ,$fields, in *,power.draw.instant,*) [ -n "$every" ] || exit 2 ;; esac
row() {
    watts=25.5
    [ -s "$FAKE/blocks" ] && watts=280.25
    out=
    for f in $(echo "$fields" | tr , ' '); do
        case $f in
        timestamp) v=$(date '+%Y/%m/%d %H:%M:%S').500 ;;
        power.draw) v=$watts ;;
        temperature.gpu) v=61 ;;
        clocks.sm) v=1500 ;;
        clocks_event_reasons.active) v=0x0000000000000004 ;;
        *) v='[N/A]' ;;
        esac
        out="$out${out:+, }$v"
    done
    echo "$out"
}
# The heads of drivers 590 and 595: clocks.sm is clocks.current.sm there.
[ -n "$quiet" ] || echo "$fields" | sed 's/,/, /g; s/clocks\.sm/clocks.current.sm [MHz]/; s/clocks\.mem/clocks.current.memory [MHz]/
    s/power\.draw/power.draw [W]/; s/\(enforced\.power\.limit\)/\1 [W]/; s/fan\.speed/fan.speed [%]/; s/\(utilization\.[a-z]*\)/\1 [%]/g'
row
[ -n "$every" ] || exit 0
while read -r _ <"$FAKE/tick"; do
    row
    echo >"$FAKE/row"
done
END
cat >fake/cuda.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <time.h>
int cuInit(unsigned f) { (void)f; return getenv("FAKE_BROKEN") ? 100 : 0; }
int cuDeviceGet(int *d, int n) { *d = n; return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { (void)d; *v = a == 16 ? 82 : 0; return 0; }
int cuCtxCreate_v2(void **c, unsigned f, int d) { (void)f; (void)d; *c = c; return 0; }
int cuModuleLoadData(void **m, const void *t) { (void)t; *m = m; return 0; }
int cuModuleGetFunction(void **f, void *m, const char *n) { (void)m; (void)n; *f = f; return 0; }
int cuMemAlloc_v2(unsigned long long *p, size_t n) { (void)n; *p = 1; return 0; }
int cuLaunchKernel(void *f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned s, void *q, void **p, void **e)
{
    (void)f, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)s, (void)q, (void)p, (void)e;
    char name[4096];
    snprintf(name, sizeof name, "%s/blocks", getenv("FAKE"));
    FILE *log = fopen(name, "a");
    fprintf(log, "%u\n", x);
    fclose(log);
    return 0;
}
int cuCtxSynchronize(void) { nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); return 0; }
END
cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang)
"$cc" -D_POSIX_C_SOURCE=200809L -shared -fPIC -o fake/libcuda.so.1 fake/cuda.c 2>err || { fail "the fake driver" "$(cat err)"; exit 1; }
chmod +x fake/nvidia-smi fake/date fake/sleep
REAL_DATE=$(command -v date) REAL_SLEEP=$(command -v sleep)
export FAKE="$scratch" REAL_DATE REAL_SLEEP LD_LIBRARY_PATH="$scratch/fake" CC="$cc"
: >blocks && : >seconds
measure=$top/extras/measure/measure.sh
PATH=$scratch/fake:$PATH
export PATH

ln -s log now
exits 0 "a whole log" "$measure" -o log --idle 2 --step 1 --full 2 --cool 1
for f in card.txt samples.csv phases.csv summary.txt trace.csv; do present log/$f "leaves $f"; done
[ "$(wc -l <log/phases.csv)" = 14 ] && pass "thirteen phases" || fail "thirteen phases" "$(cat log/phases.csv)"
says log/card.txt 'Default Power Limit' "the card's limits are kept"
grep -q UUID log/card.txt && fail "no UUID of a card is kept" || pass "no UUID of a card is kept"
says log/summary.txt '^idle .* 25\.5 ' "idle power"
says log/summary.txt '^long run .* 280\.[23] ' "power under load"
says log/summary.txt '^long run .* 100 ' "and what capped it"
says log/summary.txt '^long run .* 280\.[23] +1500 +- ' "its clock, and no speed of a card without a fan"
says log/trace.csv '^t_s,power_w' "a trace to play back"
[ "$(sort -n all-blocks | uniq | tr '\n' ' ')" = "1 10 21 41 62 82 " ] && pass "the steps load the stated shares of the multiprocessors" ||
    fail "the steps load the stated shares of the multiprocessors" "$(sort -n all-blocks | uniq -c)"
grep -E -- '(^| )(-pl|-lgc|-rgc|-pm|-ac|-rac|--power-limit|--lock|--reset|-r)( |=|$)' asked && fail "no setting is touched" || pass "no setting is touched"
printf '<rig><chassis><gpu part="gpu/generic" tdp="300 W" slot="1"/></chassis><workload kind="replay" power="trace.csv"/><run for="20 s"/></rig>' >log/rig.xml
exits 0 "wattsink plays it back" "$wattsink" run log/rig.xml -o played -q
gone() { ! ps -eo args | grep -F "$scratch/fake/nvidia-smi" | grep -qv grep; }
soon gone && pass "the sampler has ended" || fail "the sampler has ended" "$(ps -eo args | grep -F "$scratch")"
mkdir cut && cp log/phases.csv cut/ && sed 's/, clocks_event_reasons.active$//; 2,$s/, [^,]*$//' log/samples.csv >cut/samples.csv &&
    printf '2026/08/04 09:00:00.500, [N/A], 2' >>cut/samples.csv
exits 0 "a log without what caps, and half a last line" sh "$top/extras/measure/summary.sh" cut
says cut/summary.txt '^long run .* 1500 .* - +-$' "has no share of it"
sort log/trace.csv >a && sort cut/trace.csv >b
cmp -s a b && pass "and no watts of the half line" || fail "and no watts of the half line" "$(comm -3 a b)"
[ "$("$measure" --help | sed -n 's/^About \([0-9]*\) minutes.*/\1/p')" = 70 ] && grep -q '# 70 minutes; --quick: 14' "$top/extras/measure/README.md" &&
    pass "its pages say how long it takes: 300 + 10 x 120 + 1800 + 900 s" || fail "its pages say how long it takes"
exits 1 "an existing log" "$measure" -o log
exits 1 "a card that is not" "$measure" -o other -g 7
absent other "leaves nothing"
exits 2 "an unknown option" "$measure" -o other --power-limit 3
exits 1 "an invalid time" "$measure" -o other --idle x
exits 1 "a driver that fails" env FAKE_BROKEN=1 "$measure" -o broken
says err 'CUDA error 100' "says what"
ln -sfn own now
echo 'while echo 82 >>"$FAKE/blocks"; do "$REAL_SLEEP" 0.02; done' >load.sh
exits 0 "loads of one's own" "$measure" -o own --idle 1 --step 1 --full 1 --cool 1 --compute "sh $scratch/load.sh" --memory "sh $scratch/load.sh"
[ "$(wc -l <own/phases.csv)" = 7 ] && pass "make six phases" || fail "make six phases" "$(cat own/phases.csv)"
exit $status
