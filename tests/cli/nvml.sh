#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real clients of NVML, NVIDIA's monitoring library, on a twin (a simulation that answers as a driver does): the example
# controller in C and in Python, and Debian's pynvml, gpustat and nvtop, if they are installed or unpacked in
# $NVML_CLIENTS (.ci/nvml-clients).
. "$(dirname "$0")/helpers.inc"
twin=nvml-$$
trap 'rm -rf "$scratch" /dev/shm/wattsink.*."$twin"' EXIT
library=$(dirname "$wattsink")/twin
clients=${NVML_CLIENTS:-$top/build/clients}
python=/usr/bin/python3
export PYTHONPATH="$clients/usr/lib/python3/dist-packages" PATH="$PATH:$clients/usr/bin" wattsink scratch twin
ask() { "$wattsink" twin --name "$twin" --ask "$1"; }
sed 's/power-limit="[^"]*"/power-limit="350 W"/' "$top/scenarios/quad-3090-blower/rig.xml" >rig.xml
lockstep() {
    exits 0 "$2" "$wattsink" twin rig.xml --name "$twin" \
        --lockstep --writable --quiet -- sh "$1"
}
value() { sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" "$2"; }
within() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a != "" && b != "" && a - b <= by && b - a <= by) }'; }

# The circuit can carry 12 A at 120 V continuously (80 % of 15 A), as in docs/howto/test-a-power-capper.md.
cat >episode <<'END'
for second in $(seq 90); do
    "$wattsink" twin --name "$twin" --ask '{"advance_s": 1}' >/dev/null && $controller 12 120 130 0.9 || exit 1
    [ "$second" != 3 ] || "$wattsink" twin --name "$twin" --ask '{"read": ["wall_w"]}' >"$scratch/early"
done
"$wattsink" twin --name "$twin" --ask '{"read": ["wall_w"]}' >"$scratch/wall"
END
keeps() {
    lockstep episode "the controller in $1 goes through an episode"
    wall=$(value wall_w wall)
    if within "$wall" 1400 40; then pass "$1: keeps to 12 A"; else fail "$1: keeps to 12 A" "wall: $wall W"; fi
}
cc=${CC:-cc}
exits 0 "the controller in C is built" $cc -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror \
    "$top/docs/examples/capper.c" -o capper "$library/libnvidia-ml.so.1"
controller=true
export controller
lockstep episode "an episode without a controller"
wall=$(value wall_w wall)
if awk -v w="$wall" 'BEGIN { exit !(w > 1500) }'; then pass "without it: over 12 A"; else fail "without it: over 12 A" "wall: $wall W"; fi
controller=$scratch/capper
keeps C
first=$wall
keeps C
[ -n "$wall" ] && [ "$wall" = "$first" ] && pass "two episodes give the same bits" || fail "two episodes give the same bits" "$first, $wall"

if ! $python -c 'import pynvml' 2>err; then
    echo "ok pynvml and the controller in Python # SKIP Debian: python3-pynvml, in contrib"
else
    controller="$python $top/docs/examples/capper.py"
    keeps Python
    within "$wall" "$first" 0.1 && pass "Python and C end alike" || fail "Python and C end alike" "$first, $wall"
    cat >read.py <<'END'
import json, pynvml as N
N.nvmlInit()
cards = [N.nvmlDeviceGetHandleByIndex(i) for i in range(N.nvmlDeviceGetCount())]
print(json.dumps({"mw": [N.nvmlDeviceGetPowerUsage(c) for c in cards], "die": [N.nvmlDeviceGetTemperature(c, 0) for c in cards],
    "mhz": [N.nvmlDeviceGetClockInfo(c, 1) for c in cards], "limit": [N.nvmlDeviceGetPowerManagementLimit(c) for c in cards]}))
# The structures of the C library must have the sizes of those of the client.
import ctypes as C
sizes = {"PciInfo": 68, "Memory": 24, "Memory_v2": 40, "Utilization": 8, "FieldValue": 40, "ViolationTime": 16, "EventData": 32,
    "ProcessInfo": 24, "ProcessUtilizationSample": 32, "Sample": 16, "BAR1Memory": 24}
for name, size in sizes.items():
    of = next((getattr(N, p % name) for p in ("c_nvml%s_t", "nvml%s_t", "c_nvml%s_v2_t") if hasattr(N, p % name)), None)
    assert of is None or C.sizeof(of) == size, (name, C.sizeof(of))
END
    echo '"$wattsink" twin --name "$twin" --ask "{\"advance_s\": 120}" >/dev/null && /usr/bin/python3 read.py >"$scratch/py" &&
        "$wattsink" twin --name "$twin" --ask "{\"read\": [\"gpu2.power_w\", \"gpu2.die_c\", \"gpu2.clock_mhz\"]}" >"$scratch/own"' >script
    lockstep script "pynvml reads, and has the same layouts"
    third() { sed -n "s/.*\"$1\": \[[0-9]*, [0-9]*, \([0-9]*\).*/\1/p" py; }
    if within "$(third mw)" "$(awk -v w="$(value gpu2.power_w own)" 'BEGIN { print w * 1000 }')" 3000 &&
        within "$(third die)" "$(value gpu2.die_c own)" 0.51 && within "$(third mhz)" "$(value gpu2.clock_mhz own)" 0.51 &&
        [ "$(third limit)" = 350000 ]; then pass "pynvml reads what the run has"; else fail "pynvml reads what the run has" "$(cat py own)"; fi
fi

if ! $python -c 'import gpustat' 2>err; then
    echo "ok gpustat # SKIP Debian: gpustat, in contrib"
else
    echo '"$wattsink" twin --name "$twin" --ask "{\"advance_s\": 120}" >/dev/null && /usr/bin/python3 -m gpustat --json >"$scratch/stat" &&
        "$wattsink" twin --name "$twin" --ask "{\"read\": [\"gpu0.die_c\", \"gpu0.power_w\"]}" >"$scratch/own"' >script
    lockstep script "gpustat reads"
    temp=$(sed -n 's/.*"temperature.gpu": \([0-9]*\),*/\1/p' stat | head -1) draw=$(sed -n 's/.*"power.draw": \([0-9]*\),*/\1/p' stat | head -1)
    if within "$temp" "$(value gpu0.die_c own)" 0.51 && within "$draw" "$(value gpu0.power_w own)" 3; then
        pass "gpustat reads what the run has"; else fail "gpustat reads what the run has" "$(head -30 stat; cat own)"; fi
fi

if ! command -v nvtop >/dev/null || ! command -v script >/dev/null; then
    echo "ok nvtop # SKIP Debian: nvtop, in contrib"
else
    # nvtop draws its first picture before it reads the key q, which ends it.
    echo '"$wattsink" twin --name "$twin" --ask "{\"advance_s\": 120}" >/dev/null &&
        "$wattsink" twin --name "$twin" --ask "{\"read\": [\"gpu0.die_c\"]}" >"$scratch/own" &&
        TERM=xterm timeout 60 script -qec "stty rows 60 cols 200; nvtop" "$scratch/screen" <keys >/dev/null' >script
    printf 'q' >keys
    lockstep script "nvtop draws"
    shown=$(sed 's/\x1b[^a-zA-Z]*[a-zA-Z]//g' screen | grep -aoE 'TEMP *[0-9]+' | head -1 | tr -cd 0-9)
    if grep -aq 'RTX 3090' screen && within "$shown" "$(value gpu0.die_c own)" 0.51; then pass "nvtop shows card and temperature"; else
        fail "nvtop shows card and temperature" "$shown: $(cat own)"; fi
fi
exit $status
