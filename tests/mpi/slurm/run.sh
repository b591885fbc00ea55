#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh TRANSCRIPT: makes a Slurm cluster of two nodes on this machine, without cgroups and systemd, and runs the batch
# file of docs/mpi.md on this cluster. Interrupts the job, kills one of its ranks, resumes the job, and compares the rows
# with those of one process. Needs wattsink-mpi.mpich and wattsink-mpi.openmpi beside $WATTSINK.
set -eu
transcript=$(pwd)/$1
top=$(cd "$(dirname "$0")/../../.." && pwd)
tools="munged slurmctld slurmd srun sbatch salloc sqlite3 mpirun.openmpi"
for tool in $tools; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
        { echo "slurm-test: no $tool (Debian: munge slurmctld slurmd slurm-client sqlite3 openmpi-bin)" >&2; exit 77; }
done
dir=$(mktemp -d)
chmod 755 "$dir"
PATH=$dir/bin:$PATH:/usr/sbin
export PATH SLURM_CONF="$dir/slurm.conf" WATTSINK_PARTS="$top/parts"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
stop() {
    scancel --user="$(id -un)" 2>/dev/null || :
    for p in slurmd-node1 slurmd-node2 slurmctld munged; do
        if [ -s "$dir/$p.pid" ]; then kill "$(cat "$dir/$p.pid")" 2>/dev/null || :; fi
    done
    sleep 1
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 1' INT TERM

mkdir "$dir/state" "$dir/bin"
cp "$WATTSINK" "$dir/bin/wattsink"
cp "$WATTSINK-mpi.mpich" "$dir/bin/wattsink-mpi"
cp "$WATTSINK-mpi.openmpi" "$dir/bin/wattsink-mpi.openmpi"
(umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
munged --key-file="$dir/munge.key" --socket="$dir/munge.sock" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" \
    --seed-file="$dir/munged.seed"
host=$(hostname -s)
cat >"$SLURM_CONF" <<EOF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
ReturnToService=2
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16818 CPUs=2
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16819 CPUs=2
PartitionName=all Nodes=node1,node2 Default=YES State=UP
EOF
slurmctld
slurmd -N node1
slurmd -N node2
for _ in $(seq 50); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break
    sleep 0.2
done

cd "$dir"
cp "$top/tests/cli/two-cards.xml" rig.xml
sed -n '/^    #!\/bin\/bash/,/^$/s/^    //p' "$top/docs/mpi.md" >limits.sbatch
# The name of the scratch folder differs each time, so it is not shown.
show() {
    printf '$ %s\n' "$1"
    sh -c "$1" 2>&1 | sed "s|$dir|.|g"
    echo
}
rows() { sqlite3 -readonly limits.sqlite 'SELECT count(*) FROM cases' 2>/dev/null || echo 0; }
wait_for_rows() {
    for _ in $(seq 1000); do
        [ "$(rows)" -lt "$1" ] || return 0
        sleep 0.05
    done
    return 1
}
wait_for_end() { while [ -n "$(squeue -h)" ]; do sleep 0.2; done; }
# Only rank 0 has the result file open.
other_rank() {
    for p in /proc/[0-9]*; do
        [ "$(readlink "$p/exe")" = "$dir/bin/wattsink-mpi" ] || continue
        case $(ls -l "$p/fd" 2>/dev/null) in *limits.sqlite*) ;; *) echo "${p#/proc/}" && return ;; esac
    done
}
run() {
    echo "Written by make slurm-test: $(slurmd -V), $(uname -sm), two nodes on one machine."
    echo
    show 'sinfo -N -o "%N %T %c"'
    show 'cat limits.sbatch'
    show 'sbatch limits.sbatch'
    wait_for_rows 5
    show 'squeue -o "%i %j %T %D %N"'
    show 'scancel --signal=TERM --name=limits'
    wait_for_end
    show 'cat limits.log'
    show 'sbatch limits.sbatch'
    wait_for_rows $(($(rows) + 5))
    victim=$(other_rank)
    sh -c "kill -KILL $victim"
    printf '(one of the two ranks is killed with SIGKILL)\n\n'
    wait_for_end
    show 'cat limits.log'
    show "sqlite3 limits.sqlite 'SELECT count(*) FROM cases'"
    show 'sbatch limits.sbatch'
    wait_for_end
    show 'tail -n 2 limits.log'
    show "wattsink sweep rig.xml --vary 'gpu[*].power-limit=200W:350W:3W' --for 7d -o alone.sqlite -q"
    show 'sqlite3 limits.sqlite .dump > a; sqlite3 alone.sqlite .dump > b; cmp a b && echo the same'
    show "salloc -N 2 -n 4 mpirun.openmpi --mca pml ob1 --mca btl tcp,self wattsink-mpi.openmpi rig.xml --vary 'gpu[*].power-limit=200W:350W:3W' --for 7d -o openmpi.sqlite"
    show 'sqlite3 openmpi.sqlite .dump > c; cmp c b && echo the same'
    show "srun -N 2 -n 4 wattsink-mpi --version"
}
run >transcript
[ "$(grep -c '^the same$' transcript)" = 2 ] && grep -q '^wattsink: interrupted; ' transcript || { cat transcript; exit 1; }
cp transcript "$transcript"
echo "ok: $(wc -l <transcript) lines"
