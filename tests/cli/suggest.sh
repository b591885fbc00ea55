#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Promises of `suggest`: each machine keeps what was asked when it is loaded as a rig of its own, more money never gives
# a worse machine, and a machine keeps its title up to the stated price of its card.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
check() {
    name=$1
    shift
    if "$@" >"$dir/told" 2>&1; then echo "ok $name"; else
        echo "not ok $name"
        sed 's/^/    /' "$dir/told"
        status=1
    fi
}
parts=$dir/parts
mkdir "$parts"
for family in board chassis cooler cpu fan memory model psu storage tariff carbon; do cp -R "parts/$family" "$parts/"; done
mkdir "$parts/gpu"
for card in rtx-3090 rtx-4090 rx-7900-xtx rtx-5090 rtx-3060 h100-nvl; do cp "parts/gpu/$card.xml" "$parts/gpu/"; done
sed 's/ price="[^"]*"//; s/ price-date="[^"]*"//; /for="price/d' "$parts/gpu/rtx-3060.xml" >"$dir/unpriced" && cp "$dir/unpriced" "$parts/gpu/rtx-3060.xml"
WATTSINK_PARTS=$parts
export WATTSINK_PARTS
ask() {
    budget=$1 name=$2
    shift 2
    "$WATTSINK" suggest --budget "$budget" --model llama-3.1-70b --country us "$@" --json >"$dir/$name.json" 2>"$dir/$name.err"
}
field() { python3 -c "import json,sys; d=json.load(open('$dir/$1.json')); print($2)"; }

refused() {
    name=$1 code=$2 text=$3
    shift 3
    "$WATTSINK" suggest "$@" >"$dir/out" 2>&1
    is=$?
    check "$name" sh -c "[ $is = $code ] && grep -qF -- \"$text\" $dir/out"
}
refused "no budget" 2 "--budget is missing" --model llama-3.1-70b
refused "no model" 2 "--model is missing" --budget 5000USD
refused "a budget without currency" 2 "expected an amount with its currency" --budget 5000 --model llama-3.1-70b
refused "an unknown model" 3 "llama-9" --budget 5000USD --model llama-9
refused "a circuit without amperes" 2 "expected volts and amperes" --budget 5000USD --model llama-3.1-70b --circuit 120V
refused "a currency without a rate" 3 "--exchange" --budget 5000EUR --model llama-3.1-70b --country us
refused "nothing for the money" 3 "No machine meets" --budget 100USD --model llama-3.1-70b --country us
printf 'gpu/rtx-4090,1 USD\n' >"$dir/bad.csv"
refused "a file of prices with mistakes" 3 "expected three columns" --budget 5000USD --model llama-3.1-70b --prices "$dir/bad.csv"
refused "an unknown quantization" 3 "is unknown; expected F16, BF16" --budget 5000USD --model llama-3.1-70b --quant int4
refused "an unknown engine" 3 "is unknown; expected llama.cpp, vllm" --budget 5000USD --model llama-3.1-70b --engine tgi
refused "weights that the engine does not load" 3 "llama.cpp does not load AWQ weights" --budget 5000USD --model llama-3.1-70b --quant AWQ
refused "streams in words" 3 "is not a whole number; expected" --budget 5000USD --model llama-3.1-70b --streams many
refused "a context of nothing" 3 "is out of range; expected at least 1" --budget 5000USD --model llama-3.1-70b --context 0
for message in "--context: warning: a context of 100000 tokens is longer than the 8192 that Llama 3 8B" "No machine meets"; do
    refused "a context beyond the model's is warned of, and tried" 3 "$message" --budget 100USD --model llama-3-8b --context 100000 --country us
done
refused "a name that would end an attribute" 2 "expected a name" --budget 5000USD --model llama-3.1-70b --quant 'Q4"'
for budget in x -5USD 0USD 1e999USD 5000usd 5000USDT 'USD 5000'; do
    refused "the budget $budget" 2 "expected an amount with its currency" --budget "$budget" --model llama-3.1-70b
done
for circuit in x '120 15 A' '80 V 15 A' '500 V 15 A' '120 V 0 A' '120 V 1001 A' '120 V 15 B' '120 V A' '120 V'; do
    refused "the circuit $circuit" 2 "expected volts and amperes" --budget 5000USD --model llama-3.1-70b --circuit "$circuit"
done
refused "memory in another unit" 2 "expected an amount such as 48GB" --budget 5000USD --model llama-3.1-70b --memory 48kg
for memory in 1e999GB -5GB 0GB GB; do
    refused "the memory $memory" 2 "expected an amount such as 48GB" --budget 5000USD --model llama-3.1-70b "--memory=$memory"
done
refused "a model that would end an attribute" 2 "expected a name" --budget 5000USD --model 'a"b'
refused "a noise that is none" 2 "expected a level such as 45dBA" --budget 5000USD --model llama-3.1-70b --noise loud
refused "years that are none" 2 "expected a number of years" --budget 5000USD --model llama-3.1-70b --years 0
refused "a country that is none" 2 "atlantis" --budget 5000USD --model llama-3.1-70b --country atlantis
refused "a word" 2 "suggest takes options only" --budget 5000USD --model llama-3.1-70b rig.xml
for option in engine streams context; do
    refused "an option --$option that would end an attribute" 2 "expected a name" --budget 5000USD --model llama-3.1-70b --$option 'a<b'
done

# The number of threads must not change the answer.
if command -v taskset >/dev/null; then
    ask 3000USD threads
    first=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    taskset -c "$first" "$WATTSINK" suggest --budget 3000USD --model llama-3.1-70b --country us --json >"$dir/alone.json"
    check "one thread gives the same answer" cmp "$dir/threads.json" "$dir/alone.json"
else
    echo "skip one thread gives the same answer: no taskset"
fi

# The same question as text: several requests at a time, and blanks in the amounts.
"$WATTSINK" suggest --budget '4000 USD' --model model/llama-3.1-8b --country us --engine vllm --memory '24 GiB' --years '1 year' --streams 4 \
    --context 4096 >"$dir/vllm" 2>&1
check "an answer with vllm" grep -q '^Fastest: ' "$dir/vllm"
check "at which weather electricity is counted" grep -q '^Electricity includes cooling of the room at the mean outdoor temperature' "$dir/vllm"
# Three cards, or five to seven, cannot share the 8 heads of keys and values, which vLLM refuses.
"$WATTSINK" suggest --budget 6000USD --model llama-3.1-70b --country us --engine vllm --memory 72GB >"$dir/heads" 2>&1
check "vllm gets no three cards" sh -c "grep -q '[48] x ' $dir/heads && ! grep '[3567] x ' $dir/heads"

# llama.cpp takes any number of cards and old ones, so that what vllm refuses is no matter of parts that do not fit.
"$WATTSINK" suggest --budget 6000USD --model llama-3.1-8b --country us --json >"$dir/any.json" 2>&1
"$WATTSINK" suggest --budget 6000USD --model llama-3.1-8b --country us --engine vllm --json >"$dir/refused.json" 2>&1
refusals() { sed -n 's/.*"refused": {.*"'"$2"'": \([0-9]*\).*/\1/p' "$dir/$1.json"; }
check "llama.cpp refuses no cards" [ "$(refusals any engine)" = 0 ]
check "vllm does" [ "$(refusals refused engine)" -gt 0 ]
check "apart from parts that do not fit" [ "$(refusals refused fit)" -le $(($(refusals any fit) + 20)) ]
check "and is said" grep -qE '^  [1-9][0-9]* have cards on which the engine does not run, or over which it cannot split the model$' "$dir/heads"
check "the work is told, with defaults" grep -qE '^Work: model/[a-z0-9.-]*, engine vllm, weights Q4_K_M, requests at the same time: [0-9]*, tokens of each: [0-9]* \(--engine, --quant, --streams, --context\)\.$' "$dir/vllm"
check "the cost of tokens says that it counts the purchase" grep -qE 'A million tokens, with the purchase over [0-9.]+ years: [0-9.]+ USD$' "$dir/vllm"
check "a card without a price is named" grep -qF 'cards without a price: gpu/rtx-3060' "$dir/vllm"
check "what to do next" grep -q '^-o DIR writes each as a rig' "$dir/vllm"
check "what more money gives" grep -q '^Faster, if this limit alone is relaxed (budget):' "$dir/vllm"
"$WATTSINK" suggest --budget '4000 USD' --model model/llama-3.1-8b --country us --engine vllm --memory '24 GiB' --years '1 year' --streams 4 \
    --context 4096 --lang ja >"$dir/ja" 2>&1
check "it has the Japanese comma in Japanese" grep -q '^  [0-9]* x .*、毎秒 [0-9.]* トークン: ' "$dir/ja"
"$WATTSINK" suggest --budget 1000USD --model llama-3.1-70b --noise 20dBA --circuit '120 V 5 A' --country us >"$dir/several" 2>&1
check "where one limit is not enough, several are told" grep -q '^Relaxing one limit is not enough' "$dir/several"
: >"$dir/file"
"$WATTSINK" suggest --budget 4000USD --model llama-3.1-8b --country us -o "$dir/file/rigs" >"$dir/out" 2>&1
is=$?
check "a folder that cannot be made" sh -c "[ $is = 1 ] && grep -q 'file/rigs' $dir/out"

# Five cards of two 8-pin connectors each: the PSU that carries them has 8 plugs, the next larger one 10.
cp -R "$parts" "$dir/plugs" && rm "$dir"/plugs/gpu/* && cp parts/gpu/rx-7600-xt.xml "$dir/plugs/gpu/"
WATTSINK_PARTS=$dir/plugs "$WATTSINK" suggest --budget 6000USD --model gpt-oss-120b --country us -o "$dir/wired" >"$dir/out" 2>&1
check "five cards with two plugs each get a larger PSU" sh -c "grep -q '5 x Radeon RX 7600 XT' $dir/out && grep -q tier-gold-1600 $dir/wired/*.xml"
WATTSINK_PARTS=$dir/plugs "$WATTSINK" suggest --budget 6000USD --model gpt-oss-120b --country us -o "$dir/wired rigs" >"$dir/next" 2>&1
check "the command that it tells is quoted for the shell" grep -qF "Next: wattsink run '$dir/wired rigs/" "$dir/next"
WATTSINK_PARTS=$dir/plugs "$WATTSINK" suggest --budget 50USD --model gpt-oss-120b --country us >"$dir/out" 2>&1
check "a machine that costs many times the budget is told" grep -q '^Possible, if this limit alone is relaxed (budget):' "$dir/out"
for rig in "$dir"/wired/*.xml; do
    WATTSINK_PARTS=$dir/plugs "$WATTSINK" check "$rig" >"$dir/out" 2>&1
    check "the PSU has enough plugs" sh -c "! grep -q 'connectors of its cards' $dir/out"
done
# Every PSU of this catalogue is too small, which no larger circuit mends.
cp -R "$dir/plugs" "$dir/small"
cp parts/gpu/rtx-4090.xml "$dir/small/gpu/"
for psu in "$dir"/small/psu/tier-gold-*.xml; do
    sed -e 's/rated="[0-9]* W"/rated="280 W" sockets-8-pin="8" sockets-12v-2x6="4"/' \
        -e 's/for="rated tier"/for="rated tier sockets-8-pin sockets-12v-2x6"/' "$psu" >"$dir/psu" && cp "$dir/psu" "$psu"
done
WATTSINK_PARTS=$dir/small "$WATTSINK" suggest --budget 20000USD --model llama-3.1-8b --country us >"$dir/out" 2>&1
check "PSUs that are too small" grep -q 'overload the circuit or a PSU' "$dir/out"
check "need no larger circuit" sh -c "! grep -q 'limit alone is relaxed' $dir/out"
# ---- parts that cannot be read ----
# lacks CODE NAME PATTERN COMMAND...: COMMAND damages the catalogue; then there is a message and no answer.
lacks() {
    code=$1 name=$2 text=$3
    shift 3
    rm -rf "$dir/lacks" && cp -R "$dir/plugs" "$dir/lacks"
    (cd "$dir/lacks" && "$@")
    WATTSINK_PARTS=$dir/lacks "$WATTSINK" suggest --budget 6000USD --model gpt-oss-120b --country us --json >"$dir/out" 2>"$dir/err"
    is=$?
    check "$name" sh -c "[ $is = $code ] && [ ! -s '$dir/out' ] && grep -q '$text' '$dir/err' || { cat '$dir/err'; false; }"
}
lacks 3 "no PSU of one size" 'there is no part "psu/tier-gold-1600"' rm psu/tier-gold-1600.xml
lacks 3 "no chassis that only some machines have" 'there is no part "chassis/mining-frame-8"' rm chassis/mining-frame-8.xml
lacks 3 "a card that is no XML" 'lacks/gpu/torn.xml:2:1: ' sh -c 'echo "<gpu" >gpu/torn.xml'
lacks 3 "a card that leads out of the folder" 'part "gpu/out": ' ln -s /etc/passwd gpu/out.xml
lacks 3 "a card that is gone" 'there is no part "gpu/gone"' ln -s nothing gpu/gone.xml
lacks 3 "no cards" "there are no cards in $dir/lacks/gpu" rm gpu/rx-7600-xt.xml

# ---- rigs that the user has edited ----
set -- --budget 4000USD --model llama-3.1-8b --country us -o "$dir/kept"
check "into a new folder" "$WATTSINK" suggest "$@"
cp -R "$dir/kept" "$dir/first"
check "the same again" "$WATTSINK" suggest "$@" --json
last=$(ls "$dir"/kept/*.xml | tail -n 1)
echo '<!-- mine -->' >>"$last"
first=$(ls "$dir"/kept/*.xml | head -n 1)
rm "$first"
"$WATTSINK" suggest "$@" >"$dir/out" 2>"$dir/err"
is=$?
check "an edited rig is not replaced" sh -c "[ $is = 3 ] && grep -q 'mine' '$last'"
check "which is told" grep -q "^wattsink: $last was edited, or is of another question; --force replaces it, -o FOLDER keeps both\$" "$dir/err"
check "where one edited rig is refused, no other rig is written" sh -c "[ ! -e '$first' ]"
check "by force" "$WATTSINK" suggest "$@" --force
check "all are" diff -r "$dir/first" "$dir/kept"
rm -r "$dir/kept"
check "with the answer as JSON" "$WATTSINK" suggest "$@" --json
check "they are written too" diff -r "$dir/first" "$dir/kept"
if ! command -v python3 >/dev/null; then echo "skip what suggest tells as JSON: no python3" && exit $status; fi
ask 6000USD six --circuit '120 V 15 A' --noise 45dBA
check "two machines at least" test "$(field six 'len(d["machines"])')" -ge 2
check "what is told is within what was asked" python3 - "$dir/six.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
m = d["machines"]
assert m and len({json.dumps(x["machine"]) for x in m}) == len(m)
for x in m:
    assert x["machine"]["purchase"] <= 6000 and x["machine"]["noise_dba"] <= 45 and x["machine"]["circuit_load"] <= 1
best = {t: x["machine"] for x in m for t in [x["title"]] + x["also"]}
assert {"fastest", "cheapest", "least-per-token"} <= set(best)
assert best["fastest"]["generation_per_s"] >= max(x["machine"]["generation_per_s"] for x in m) * 0.98
assert d["unpriced"] == ["gpu/rtx-3060"]
assert d["looked_at"] == d["good"] + sum(d["refused"].values())
END
"$WATTSINK" suggest --budget 6000USD --model llama-3.1-70b --country us --circuit '120 V 15 A' --noise 45dBA -o "$dir/rigs" >"$dir/text" 2>&1
check "each is a rig that checks" sh -c "for rig in $dir/rigs/*.xml; do \"\$WATTSINK\" check \$rig || exit 1; done"
"$WATTSINK" steady "$dir/rigs/fastest.xml" --json >"$dir/steady.json" 2>/dev/null
check "and gives the same tokens, price and circuit by itself" python3 - "$dir" <<'END'
import json, sys
own = json.load(open(sys.argv[1] + "/steady.json"))
own = own["cases"][0] if "cases" in own and isinstance(own["cases"], list) and "tokens" in own["cases"][0] else own
told = next(x["machine"] for x in json.load(open(sys.argv[1] + "/six.json"))["machines"] if x["title"] == "fastest")
assert abs(own["tokens"]["generation_per_s"] / told["generation_per_s"] - 1) < 1e-9
assert abs(own["purchase"] / told["purchase"] - 1) < 1e-9
assert abs(own["circuit"]["wall_peak_va"] / own["circuit"]["continuous_limit_w"] / told["circuit_load"] - 1) < 1e-9
END

ask 3500USD less --circuit '120 V 15 A' --noise 45dBA
check "more money is never slower" python3 -c "
import json
fast = lambda n: max([x['machine']['generation_per_s'] for x in json.load(open('$dir/' + n + '.json'))['machines']] + [0])
assert fast('six') >= 0.98 * fast('less'), (fast('six'), fast('less'))"
ask 6000USD quiet --circuit '120 V 15 A' --noise 30dBA
check "a stricter limit leaves fewer machines" test "$(field quiet 'd["good"]')" -lt "$(field six 'd["good"]')"

# Machines with different numbers of the same card may win different titles: both are listed, each with its own titles.
for budget in 6500 5000; do
    "$WATTSINK" suggest --budget ${budget}USD --model llama-3.1-8b --country us --engine vllm --streams 16 --json >"$dir/vllm$budget.json" 2>"$dir/vllm.err"
done
check "a title goes to the machine that holds it" python3 - "$dir" <<'END'
import json, sys
rich, poor = (json.load(open(f"{sys.argv[1]}/vllm{n}.json"))["machines"] for n in (6500, 5000))
held = lambda machines: {t: x["machine"] for x in machines for t in [x["title"]] + x["also"]}
tokens = {t: held(m)["least-per-token"]["per_million"] for t, m in (("rich", rich), ("poor", poor))}
assert tokens["rich"] <= min(x["machine"]["per_million"] for x in rich), tokens
assert tokens["rich"] <= tokens["poor"], tokens
assert held(rich)["cheapest"]["purchase"] <= min(x["machine"]["purchase"] for x in rich)
fast, cheap = held(rich)["fastest"], held(rich)["least-per-token"]
assert fast["card"] == cheap["card"] and fast["cards"] != cheap["cards"], (fast, cheap)
END

# If no machine meets all conditions, suggest states the budget that would be needed: a dollar more must give a machine,
# a dollar less none.
"$WATTSINK" suggest --budget 1000USD --model llama-3.1-70b --country us --circuit '120 V 15 A' --json >"$dir/poor.json" 2>/dev/null
check "the least budget is told" python3 -c "
import json
d = json.load(open('$dir/poor.json'))
assert not d['machines'] and list(d['if_only']) == ['budget'] and d['if_together'] is None
open('$dir/least', 'w').write(str(d['if_only']['budget']['purchase']))"
for by in -1 1; do
    "$WATTSINK" suggest --budget "$(awk -v a="$(cat "$dir/least")" -v b=$by 'BEGIN { print a + b }')USD" --model llama-3.1-70b --country us \
        --circuit '120 V 15 A' --json >"$dir/around$by.json" 2>/dev/null
done
check "less buys nothing" test "$(field around-1 'len(d["machines"])')" = 0
check "more does" test "$(field around1 'len(d["machines"])')" -ge 1

# holds_below is the price of a machine's card below which the machine keeps its title.
card=$(field six 'next(x["machine"]["card"] for x in d["machines"] if x["title"] == "cheapest")')
limit=$(field six 'next(x["holds_below"] for x in d["machines"] if x["title"] == "cheapest")')
for by in -2 2; do
    printf 'id,price,date\n%s,%s USD,2026-10-01\n' "$card" "$(awk -v a="$limit" -v b="$by" 'BEGIN { print a + b }')" >"$dir/prices.csv"
    ask 6000USD "at$by" --circuit '120 V 15 A' --noise 45dBA --prices "$dir/prices.csv"
done
cheapest='next(x["machine"]["card"] for x in d["machines"] if "cheapest" in [x["title"]] + x["also"])'
check "it stays the cheapest below that price" test "$(field at-2 "$cheapest")" = "$card"
other=$(field at2 "$cheapest")
check "and does not above it" test -n "$other" -a "$other" != "$card"

# The same question in another currency has the same answer, prices up to which titles hold included.
ask 900000JPY yen --circuit '120 V 15 A' --noise 45dBA --exchange 'USD=150 JPY'
"$WATTSINK" suggest --budget 900000JPY --model llama-3.1-8b --country jp >"$dir/out" 2>"$dir/err"
check "without a rate the option that gives it is told" grep -q "expected --exchange, such as 'USD=RATE JPY'$" "$dir/err"
"$WATTSINK" suggest --budget 900000JPY --model llama-3.1-8b --country jp --exchange 'USD=150 JPY' >"$dir/out"
check "all prices are in the currency of the budget" test "$(grep -c ' JPY; counted: [0-9]* JPY, 20' "$dir/out")" -gt 0 -a "$(grep -c USD "$dir/out")" = 0
check "a budget in another currency gives the same prices" python3 -c "
import json
dollars, yen = ([(x['machine']['card'], x['holds_below']) for x in json.load(open('$dir/' + n + '.json'))['machines']] for n in ('six', 'yen'))
assert len(dollars) == len(yen) and any(b for _, b in dollars), (dollars, yen)
for (a, x), (b, y) in zip(dollars, yen):
    assert a == b and (x is None) == (y is None) and (x is None or abs(y / 150 / x - 1) < 1e-6), (dollars, yen)"

exit $status
