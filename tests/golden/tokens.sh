#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A model of 70B parameters in Q4_K_M is a file of 39.6 GiB (llama.cpp): no card of 24 or 32 GiB can hold it, while two
# RTX 3090 can, and made 16.3 tokens a second (github.com/XiongjieDai/GPU-Benchmarks-on-LLM-Inference). There one 4090
# made 14 % more tokens of an 8B model than one 3090; the difference that compare states must include 14 % within its
# uncertainty.
set -u
folder=$PWD/scenarios/llama-70b-2x3090
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$folder" || exit 1
status=0
says() {
    if grep -qE -- "$1" "$scratch/out"; then echo "ok $2"; else
        echo "not ok $2"
        sed 's/^/    /' "$scratch/out"
        status=1
    fi
}
"$WATTSINK" compare rig.xml one-4090.xml one-5090.xml --for 2h >"$scratch/out" 2>&1
says '^Winner: llama-70b-2x3090' "70B: two 3090 win"
says '^one-4090: the model does not fit' "one 4090 does not hold 70B"
says '^one-5090: the model does not fit' "one 5090 does not hold 70B"
"$WATTSINK" compare one-4090.xml one-5090.xml --for 2h --set workload.model=model/llama-3.1-8b >"$scratch/out" 2>&1
says 'within its uncertainty' "8B: one 4090 and one 5090 cost the same within the uncertainty"
says 'Most work of these: one-5090' "8B: the 5090 does the most work"
sed 's/rtx-4090/rtx-3090-open-air/; s/on one RTX 4090/on one RTX 3090/' one-4090.xml >"$scratch/one-3090.xml"
"$WATTSINK" compare "$scratch/one-3090.xml" one-4090.xml --for 2h --set workload.model=model/llama-3.1-8b >"$scratch/out" 2>&1
says 'Work: [0-9.]+ (±|\+-)[0-9.]+ % more' "8B: a 4090 makes more tokens than a 3090"
more=$(sed 's/±/+-/g' "$scratch/out" | sed -n 's/.*Work: \([0-9.]*\) +-\([0-9.]*\) % more.*/\1 \2/p')
if echo "$more" | awk '{ exit !($1 - $2 <= 14 && 14 <= $1 + $2) }'; then echo "ok 8B: 14 % more tokens lie within the uncertainty"; else
    echo "not ok 8B: 14 % more tokens lie within the uncertainty"
    echo "    $more"
    status=1
fi
exit $status
