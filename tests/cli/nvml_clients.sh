#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# More real clients on a twin (a simulation that answers as a driver does), unpacked in $NVML_CLIENTS (.ci/nvml-clients)
# or installed: PCP's agent for NVIDIA's cards, a Rust program on Debian's nvml-wrapper, netdata's parser of
# nvidia-smi's XML, and npm's systeminformation.
. "$(dirname "$0")/helpers.inc"
twin=clients-$$
trap 'rm -rf "$scratch" /dev/shm/wattsink.*."$twin"' EXIT
clients=${NVML_CLIENTS:-$top/build/clients}
rig=$top/scenarios/quad-3090-blower/rig.xml
export wattsink scratch twin clients
where() { if [ -e "$clients/$1" ]; then echo "$clients"; elif [ -e "/$1" ]; then echo /; else return 1; fi; }
# beside NAME FILE: runs the script FILE after two minutes of a twin with four cards; the file `own` then has the
# run's own values of the third card.
beside() {
    { echo '"$wattsink" twin --name "$twin" --ask "{\"advance_s\": 120}" >/dev/null || exit 1' && cat "$2" &&
        echo '[ $? = 0 ] && "$wattsink" twin --name "$twin" --read gpu2.power_w --read gpu2.die_c --read gpu2.clock_mhz \
            --read gpu2.energy_j >"$scratch/own"'; } >beside.sh
    exits 0 "$1" "$wattsink" twin "$rig" --name "$twin" --lockstep --writable --quiet -- sh beside.sh
}
own() { sed -n "s/^gpu2\.$1 //p" own; }
near() {
    if awk -v a="$2" -v b="$3" -v by="$4" 'BEGIN { exit !(a != "" && b != "" && a - b <= by && b - a <= by) }'; then
        pass "$1"; else fail "$1" "'$2', the run has '$3'"; fi
}

agent=usr/lib/pcp/pmdas/nvidia
if ! pcp=$(where $agent/pmda_nvidia.so); then
    echo "ok PCP's agent # SKIP Debian: pcp"
else
    # PCP's configuration names its folders. Its list of names lacks the agent's number, which only its installation
    # inserts.
    sed -E "s#=/(etc|usr|var|run)#=${pcp%/}/\1#" "$pcp/etc/pcp.conf" >pcp.conf
    { echo 'root { nvidia }' && sed -e '/^\/\*/,/\*\//d' -e 's/NVML:/120:/' "$pcp/$agent/pmns"; } >pmns
    cat >script <<END
LD_LIBRARY_PATH=\$LD_LIBRARY_PATH:$pcp/usr/lib:$pcp/usr/lib/$(cc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)
PCP_CONF=$scratch/pcp.conf LD_LIBRARY_PATH=\$LD_LIBRARY_PATH timeout 60 $pcp/usr/bin/pminfo -n $scratch/pmns -L -K clear \
    -K add,120,$pcp/$agent/pmda_nvidia.so,nvidia_init -f nvidia >$scratch/pcp 2>$scratch/pcp.err
END
    beside "PCP's agent reads" script
    metric() { awk -v name="nvidia.$1" '$1 == name { on = 1; next } on && /inst \[2 / { print $NF; exit }' pcp; }
    [ "$(sed -n '/^nvidia.numcards$/{n;s/ *value //p}' pcp)" = 4 ] && pass "PCP counts four cards" || fail "PCP counts four cards" "$(cat pcp.err)"
    near "PCP's temperature is the run's own" "$(metric temperature)" "$(own die_c)" 0.51
    near "and power, mW" "$(metric power)" "$(own power_w | awk '{ printf "%.0f", 1000 * $1 }')" 3000
    near "and energy, mJ" "$(metric energy)" "$(own energy_j | awk '{ printf "%.0f", 1000 * $1 }')" 1
    near "and memory, byte" "$(metric memtotal)" 25769803776 0
fi

if ! rust=$(where usr/bin/cargo) || ! registry=$(where usr/share/cargo/registry/nvml-wrapper-0.9.0); then
    echo "ok a Rust program # SKIP Debian: cargo, librust-nvml-wrapper-dev"
else
    crate=$clients/reads
    mkdir -p "$crate/src" "$crate/.cargo"
    cmp -s "$top/tests/cli/nvml_wrapper.rs" "$crate/src/main.rs" || cp "$top/tests/cli/nvml_wrapper.rs" "$crate/src/main.rs"
    printf '[package]\nname = "reads"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nnvml-wrapper = "0.9"\n[profile.dev]\ndebug = 0\n' >"$crate/Cargo.toml"
    printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' "${registry%/}/usr/share/cargo/registry" >"$crate/.cargo/config.toml"
    build() {
        cd "$crate" && LD_LIBRARY_PATH=${rust%/}/usr/lib/$($cc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu) CARGO_HOME="$crate/home" \
            RUSTC="${rust%/}/usr/bin/rustc" "${rust%/}/usr/bin/cargo" build -q --offline
    }
    cc=${CC:-gcc}
    (build) >rust.log 2>&1 && pass "a Rust program on nvml-wrapper is built" || fail "a Rust program on nvml-wrapper is built" "$(tail -n 5 rust.log)"
    echo "$crate/target/debug/reads >$scratch/rust" >script
    beside "it reads" script
    field() { awk -v n="$1" '$1 == 2 { print $n }' rust; }
    near "its power is the run's own" "$(field 2)" "$(own power_w | awk '{ printf "%.0f", 1000 * $1 }')" 3000
    near "its temperature" "$(field 3)" "$(own die_c)" 0.51
    near "its clock" "$(field 4)" "$(own clock_mhz)" 0.51
    near "its limit" "$(field 5)" 280000 0
    says rust '^2 .* 1 NVIDIA GeForce RTX 3090$' "and a process and the name"
    says rust '^set 200000$' "it sets a limit and reads it back"
fi

mkdir bin && printf '#!/bin/sh\nexec "%s" smi --twin "%s" "$@"\n' "$wattsink" "$twin" >bin/nvidia-smi && chmod +x bin/nvidia-smi
parser=usr/lib/netdata/python.d
if ! netdata=$(where $parser/nvidia_smi.chart.py); then
    echo "ok netdata's parser # SKIP Debian: netdata-plugins-python"
else
    cat >parse.py <<'END'
import importlib.util, json, sys
folder = sys.argv[1]
sys.path[:0] = [folder + "/python_modules", folder + "/python_modules/third_party"]
spec = importlib.util.spec_from_file_location("nvidia_smi", folder + "/nvidia_smi.chart.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
service = module.Service(configuration={"job_name": "t", "override_name": None, "update_every": 1, "priority": 1, "chart_cleanup": 0,
    "penalty": True, "loop_mode": False, "poll_seconds": 1})
assert service.check() and service.create() is not False
data = service.get_data()
for key in sorted(data):
    print("value", key, data[key])
END
    echo "PATH=$scratch/bin:\$PATH /usr/bin/python3 $scratch/parse.py ${netdata%/}/$parser >$scratch/netdata" >script
    beside "netdata's parser reads" script
    key() { sed -n "s/^value gpu2_$1 //p" netdata; }
    near "netdata's temperature is the run's own" "$(key gpu_temp)" "$(own die_c)" 0.51
    near "its clock" "$(key sm_clock)" "$(own clock_mhz)" 0.51
    near "its utilisation" "$(key gpu_util)" 100 0
    near "its memory, MiB" "$(awk -v a="$(key fb_memory_used)" -v b="$(key fb_memory_free)" 'BEGIN { print a + b }')" 24576 0
    near "its process's memory" "$(key 'process_mem_[0-9]*')" "$(key fb_memory_used)" 0
fi

if ! command -v node >/dev/null || [ ! -e "$clients/npm/node_modules/systeminformation" ]; then
    echo "ok systeminformation # SKIP npm: systeminformation; Debian: nodejs"
else
    # systeminformation joins the output of nvidia-smi with the cards that lspci lists, and this machine has none.
    cat >bin/lspci <<'END'
#!/bin/sh
for bus in 01 02 03 04; do
    printf '%s:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1)\n\tMemory at 0 [size=16M]\n\n' $bus
done
END
    chmod +x bin/lspci
    cat >read.js <<'END'
require(process.argv[2]).graphics().then(g => g.controllers.forEach((c, i) => Object.keys(c).forEach(k => console.log(i, k, c[k]))))
END
    echo "PATH=$scratch/bin:\$PATH node $scratch/read.js $clients/npm/node_modules/systeminformation >$scratch/js" >script
    beside "systeminformation reads" script
    js() { sed -n "s/^2 $1 //p" js; }
    near "its temperature is the run's own" "$(js temperatureGpu)" "$(own die_c)" 0.51
    near "its power" "$(js powerDraw)" "$(own power_w)" 3
    near "its clock" "$(js clockCore)" "$(own clock_mhz)" 0.51
    near "its limit" "$(js powerLimit)" 280 0
    near "its memory, MiB" "$(js memoryTotal)" 24576 0
    [ "$(js name)" = 'NVIDIA GeForce RTX 3090' ] && pass "the name of the card" || fail "the name of the card" "$(js name)"
fi
exit $status
