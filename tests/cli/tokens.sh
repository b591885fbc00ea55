#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
rig() {
    cat >"$1" <<RIG
<rig name="tokens"><site supply="230 V"><room temperature="20 degC"/><tariff kind="flat" price="0.30 EUR/kWh"/></site>
  <chassis part="chassis/workstation-12-slot"><psu part="psu/tier-gold-1600"/><cpu part="cpu/generic-desktop"/>
    <fan part="fan/generic-140-1500" at="front" count="3"/>$2</chassis>
  <workload kind="inference" $3/><run for="20 min" start="steady"/></rig>
RIG
}
one='<gpu part="gpu/rtx-3090-open-air" slot="1"/>'
two="$one"'<gpu part="gpu/rtx-3090-open-air" slot="6"/>'
number() { sed -n 's/.*"tokens": {.*/&/; s/.*"'"$2"'": \([0-9.e+-]*\).*/\1/p' "$1/summary.json" | head -1; }
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "$2"; fi; }

rig two.xml "$two" 'model="model/llama-3.1-70b" quant="Q4_K_M" split="layer" token-price="0.8 EUR"'
exits 0 "two cards run" "$wattsink" run two.xml -o two -q
says two/summary.json '"tokens": \{ "fits": true' "the model fits"
for key in memory_gib memory_spread_rel prompt_per_s prompt_spread_rel generation_per_s generation_spread_rel \
    j_per_token j_per_token_spread_rel cost_per_million cost_spread_rel; do
    holds "$key is there" "$(number two "$key") > 0"
done
holds "a pair of RTX 3090 made 16.3 a second" "$(number two generation_per_s) > 16.3 * 0.88 && $(number two generation_per_s) < 16.3 * 1.1"
holds "energy and tokens are those of the run" "($(number two wall_kwh) * 3.6e6 / $(number two count) / $(number two j_per_token) - 1) ^ 2 < 1e-12"
holds "cost and price of a kWh" "($(number two j_per_token) / 3.6e6 * 0.30 * 1e6 / $(number two cost_per_million) - 1) ^ 2 < 1e-6"
# The wall's ± is one standard deviation, an 80 % band is 1.2816 of them. No heat takes work here, so that watts and
# tokens are nearly independent.
wall_rel="1.2816 * $(sed -n 's/.*"uncertainty": {.*"wall_w": \([0-9.e+-]*\).*/\1/p' two/summary.json) * 1200 / 3.6e6 / $(number two wall_kwh)"
for key in j_per_token_spread_rel cost_spread_rel; do
    holds "$key is that of tokens and wall" "($(number two $key) ^ 2 / ($(number two generation_spread_rel) ^ 2 + ($wall_rel) ^ 2) - 1) ^ 2 < 25e-4"
done
"$wattsink" run two.xml -o two-page >out 2>&1
says out '^Tokens +[0-9.]+ prompt tokens a second \((±|\+-)[0-9]+ %\), [0-9.]+ generated \((±|\+-)[0-9]+ %\), [0-9.]+ J a token' "the page tells them"
says out 'It generates [0-9.]+ tokens a second' "so does the verdict"
says out 'Elsewhere a million tokens cost 0.80 EUR' "and the price elsewhere"

says out 'of llama.cpp in May 2024' "the page names the version of llama.cpp that the rates are of"
rig served.xml "$one" 'model="model/llama-3.1-8b" engine="vllm" quant="AWQ"'
"$wattsink" run served.xml -o served >out 2>&1
lacks out 'of llama.cpp' "rates of vLLM do not name a version of llama.cpp"

class_of() { sed -n 's/.*<workload[^>]* class="\([a-z-]*\)".*/\1/p' "$1/rig.resolved.xml"; }
ada='<gpu part="gpu/rtx-4090" slot="1"/>'
mixture='model="model/qwen3-30b-a3b" quant="Q4_K_M"'
rig experts.xml "$ada" "$mixture"
rig experts-named.xml "$ada" "$mixture class=\"decode\""
for name in experts experts-named; do "$wattsink" run $name.xml -o $name -q; done
holds "a mixture of experts is of the class moe-decode" "\"$(class_of experts)\" == \"moe-decode\""
holds "a mixture of experts keeps the class that the rig names" "\"$(class_of experts-named)\" == \"decode\""
holds "a dense model is of the class decode" "\"$(class_of two)\" == \"decode\""
holds "a mixture of experts draws less than a dense model" "$(number experts wall_kwh) < 0.9 * $(number experts-named wall_kwh)"
"$wattsink" run experts/rig.resolved.xml -o experts-resolved -q
holds "a resolved rig makes the tokens of its mixture" "$(number experts-resolved j_per_token) == $(number experts j_per_token)"

rig both.xml "$two" 'model="model/llama-3.1-8b" quant="Q4_K_M"'
"$wattsink" run both.xml -o both >out 2>&1
says out '2 copies of the model answer 2 requests at a time' "two cards hold a copy each"
says out 'Work +[0-9.]+ (million )?tokens, [0-9]+ per kWh' "the tokens made are numbers without exponents"
holds "a request has one card's tokens" "($(number both each_request_per_s) * 2 / $(number both generation_per_s) - 1) ^ 2 < 1e-12"
rig shared.xml "$two" 'model="model/llama-3.1-8b" quant="Q4_K_M" split="layer" streams="4"'
"$wattsink" run shared.xml -o shared >out 2>&1
says out 'Requests answered at a time: 4,' "or share one"

exits 0 "a low limit" "$wattsink" run two.xml -o slow -q --set 'gpu[*].power-limit=150W'
holds "makes fewer tokens" "$(number slow generation_per_s) < $(number two generation_per_s)"
holds "and slower prompts" "$(number slow prompt_per_s) < $(number two prompt_per_s)"
exits 0 "another model by --set" "$wattsink" run two.xml -o small -q --set workload.model=model/llama-3.1-8b
holds "is faster" "$(number small generation_per_s) > 4 * $(number two generation_per_s)"
exits 0 "a value of the model by --set" "$wattsink" run two.xml -o more -q --set workload.model.layers=160
holds "takes more memory" "$(number more memory_gib) > $(number two memory_gib) + 2"
exits 0 "the rig as resolved runs" "$wattsink" run two/rig.resolved.xml -o again -q
holds "with the same tokens" "$(number again generation_per_s) == $(number two generation_per_s)"
exits 0 "and takes another model" "$wattsink" run two/rig.resolved.xml -o other -q --set workload.model=model/llama-3.1-8b
holds "as the rig does" "$(number other generation_per_s) == $(number small generation_per_s)"

# Cards that share a model work at one pace: with a tensor split at that of the slowest card; with a layer split their
# times add up. A lost card stops all.
rig pair.xml "$two" 'model="model/llama-3.1-8b" split="tensor"'
pair() {
    "$wattsink" steady pair.xml --json --set "workload.split=$1" --set "$2" >out 2>err
    sed -n 's/.*"generation_per_s": \([0-9.e+-]*\).*/\1/p' out
}
for split in tensor layer; do
    full=$(pair $split 'gpu[*].power-limit=350W') both=$(pair $split 'gpu[*].power-limit=150W') slow=$(pair $split 'gpu[0].power-limit=150W')
    case $split in tensor) want=$both ;; *) want="2 / (1 / $full + 1 / $both)" ;; esac
    holds "$split: one card at a low limit" "$both < 0.5 * $full && ($slow / ($want) - 1) ^ 2 < 1e-4"
    holds "$split: a lost card makes none" "$(pair $split 'gpu[0].lost-at=0s') == 0"
done
"$wattsink" run pair.xml -o whole -q
"$wattsink" run pair.xml -o half -q --set 'gpu[0].lost-at=10min'
holds "half of the time with a lost card makes half the tokens" "($(number half generation_per_s) / $(number whole generation_per_s) - 0.5) ^ 2 < 1e-4"
holds "and counts them" "($(number half count) / $(number whole count) - 0.5) ^ 2 < 1e-4"
"$wattsink" run pair.xml -o even -q --set 'gpu[*].lock-clock=900MHz'
"$wattsink" run pair.xml -o uneven -q --set 'gpu[0].lock-clock=900MHz'
holds "prompts keep one pace too" "($(number uneven prompt_per_s) / $(number even prompt_per_s) - 1) ^ 2 < 1e-4 && $(number even prompt_per_s) < 0.9 * $(number whole prompt_per_s)"

# Tokens per second are the rate while the cards work, at the clocks that their limits allow. They do not depend on the
# load, the share of the time in which the cards work.
for split in none tensor layer; do
    for load in 100 50 10; do
        rig curve.xml "$two" 'model="model/llama-3.1-8b" split="'$split'" load-curve="0:00:'$load' %"'
        "$wattsink" run curve.xml -o curve$load -q --set 'gpu[*].power-limit=150W' --set 'gpu[0].lock-clock=900MHz'
    done
    for load in 50 10; do
        holds "$split: a load of $load % has the speed of the clock" "($(number curve$load generation_per_s) / $(number curve100 generation_per_s) - 1) ^ 2 < 0.0025"
    done
done

# Rates hold while requests keep the cards busy. A curve of 30 % makes 30 % of the tokens, and the page tells both rates.
rig third.xml "$two" 'model="model/llama-3.1-8b" split="layer" load-curve="24 h:30 %"'
exits 0 "cards that work for 30 % of the time" "$wattsink" steady third.xml
mean=$(sed -n 's/^Work  *\([0-9.]*\) tokens a second.*/\1/p' out)
says out "These rates hold while requests keep the cards busy, 30 % of the time[.] Over the whole time it generates $mean tokens a second\.\$" "both rates are told"
exits 0 "the same as a run" "$wattsink" run third.xml --for 1d -o third
says out "These rates hold while requests keep the cards busy, 30 % of the time[.] Over the whole time it generates $mean tokens" "as in the steady point"
"$wattsink" steady third.xml --set 'workload.load-curve=24h:100%' >out
lacks out 'These rates hold' "without pauses it is not said"

# vLLM gives each card whole heads: 64 of attention and 8 of keys and values are not shared by three cards.
three="$two"'<gpu part="gpu/rtx-3090-open-air" slot="9"/>'
rig three.xml "$three" 'model="model/llama-3.1-70b" quant="AWQ" engine="vllm" split="tensor"'
exits 0 "three cards that cannot share the heads" "$wattsink" check three.xml
says err 'vllm does not split this model over 3 cards: they must share its 64 heads evenly; expected tensor-parallel="2"' "are warned of"
for other in split=layer engine=llama.cpp tensor-parallel=2 model=model/qwen2.5-7b; do
    "$wattsink" check three.xml --set "workload.$other" >out 2>err
    case $other in model*) want=1 ;; *) want=0 ;; esac
    if [ "$(grep -c 'does not split' err)" = $want ]; then pass "with $other: $want warnings"; else fail "with $other: $want warnings" "$(cat err)"; fi
done
# split="layer" beside a tensor-parallel of its own is refused, so it is offered in its place.
sed 's/split="tensor"/tensor-parallel="3"/' three.xml >grouped.xml
exits 0 "three cards grouped by tensor-parallel" "$wattsink" check grouped.xml
says err 'expected tensor-parallel="2", or split="layer" instead of tensor-parallel$' "are told both ways out"
sed 's/tensor-parallel="3"/split="layer"/' grouped.xml >instead.xml
"$wattsink" check instead.xml >out 2>err
lacks err 'does not split' "and the second leads out"
# The classes of some cards do not say which loads they are from: naming a model then changes tokens, not watts.
watts() { "$wattsink" steady "$@" --json 2>/dev/null | sed -n 's/.*"power_mean_w": \([0-9.]*\).*/\1/p' | head -1; }
told='changes neither the draw of gpu/rtx-5090 nor its work under a limit'
rig any.xml '<gpu part="gpu/rtx-5090" slot="1"/>' 'model="model/llama-3.1-8b"'
"$wattsink" check any.xml >out 2>&1
says out "^  A model that fits $told: both are those of its class decode" "check says that no model changes a card"
holds "and none does" "$(watts any.xml) == $(watts any.xml --set workload.model=model/qwen2.5-3b)"
for other in gpu.part=gpu/rtx-4090 workload.model=model/qwen3-30b-a3b workload.measured-power=400W workload.class=prefill; do
    "$wattsink" check any.xml --set "$other" >out 2>&1
    lacks out 'changes neither the draw' "it does not with $other"
done
holds "a class of known loads draws by the model" \
    "$(watts any.xml --set gpu.part=gpu/rtx-4090) > 1.05 * $(watts any.xml --set gpu.part=gpu/rtx-4090 --set workload.model=model/qwen2.5-3b)"
# A model has a longest context; the programs themselves refuse or warn of a longer one.
rig long.xml "$one" 'model="model/phi-4" context="16384"'
exits 0 "the longest context of a model" "$wattsink" check long.xml
lacks err 'tokens is longer than' "is not warned of"
for command in check run; do
    "$wattsink" $command long.xml --set workload.context=16385 >out 2>err
    says err 'workload.context=16385: a context of 16385 tokens is longer than the 16384 that Phi-4 is made for' "$command warns of a longer context"
done
rig own.xml "$one" ''
sed -i 's|<workload [^>]*/>|<workload kind="inference" context="900000"><model parameters="8e9" layers="32" hidden="4096" vocabulary="128256" kv-heads="8" head-size="128"/></workload>|' own.xml
exits 0 "a model without a longest context" "$wattsink" check own.xml
lacks err 'tokens is longer than' "is not warned of either"
# Cards that no tensor-parallel group takes stay idle; a group of more cards than there are is refused.
rig group.xml "$three" 'model="model/llama-3.1-8b" tensor-parallel="2"'
exits 0 "three cards in groups of two" "$wattsink" run group.xml -o group -q
"$wattsink" check group.xml >out 2>err
says err 'group.xml:4:[0-9]+: .*groups of 2 leave 1 of 3 working cards over, which stay idle' "one card is left over"
"$wattsink" run group.xml -o pair -q --set 'workload.gpus=gpu0 gpu1' 2>/dev/null
holds "tokens are those of two cards" "($(number group generation_per_s) / $(number pair generation_per_s) - 1) ^ 2 < 1e-4"
holds "and so is the power" "($(number group wall_kwh) / $(number pair wall_kwh) - 1) ^ 2 < 1e-6"
rig four.xml "$three" 'model="model/llama-3.1-8b" tensor-parallel="4"'
exits 3 "a group of more cards than there are" "$wattsink" check four.xml
says err 'four.xml:4:[0-9]+: .*a group has 4 cards, but only 3 work' "is a mistake of the rig"
rig one.xml "$one" 'model="model/llama-3.1-70b"'
exits 0 "one card runs" "$wattsink" run one.xml -o one -q
"$wattsink" check one.xml >out 2>err
says err 'the model does not fit: it needs [0-9.]+ GiB' "the model does not fit"
says one/summary.json '"fits": false' "and the summary says so"
rig vllm.xml "$one" 'model="model/llama-3.1-70b" quant="AWQ" engine="vllm"'
exits 0 "vLLM on one card" "$wattsink" run vllm.xml -o vllm -q
says vllm/summary.json '"generation_per_s": null' "makes none"
exits 0 "a comparison" "$wattsink" compare two.xml one.xml
says out 'one: the model does not fit into the memory of its cards' "tells which does not fit"
says out 'Winner: two' "and it cannot win"
says out 'generated tokens' "with tokens a second"
says out '(±|\+-): one standard deviation' "and what its ± is"
exits 0 "a sweep" "$wattsink" sweep two.xml --vary 'gpu[*].power-limit=200W,300W' --best 'max tokens.generation_per_s' --for 10min
says out 'tokens.generation_per_s|generated tokens' "chooses by tokens"

rig rate.xml "$one" 'model="model/llama-3.1-8b" rate="100"'
exits 3 "a rate beside a model is refused" "$wattsink" check rate.xml
says err 'model= gives the rate' "with the reason"
rig none.xml "$one" 'model="model/llama-9"'
exits 3 "an unknown model is refused" "$wattsink" check none.xml
says err 'model/llama-9' "by its name"
rig measured.xml "$one" 'model="model/llama-3.1-8b" measured-rate="120 tok/s"'
exits 0 "a measured rate beside a model" "$wattsink" run measured.xml -o measured -q
holds "counts" "$(number measured generation_per_s) > 100 && $(number measured generation_per_s) < 125"
rig plain.xml "$one" 'rate="30" unit="tokens"'
exits 0 "without a model" "$wattsink" run plain.xml -o plain -q
if grep -q '"tokens": {' plain/summary.json; then fail "there are no tokens"; else pass "there are no tokens"; fi

# Where heat costs throughput, the uncertainty of that loss is part of the uncertainty of tokens per second.
cat >hot.xml <<RIG
<rig name="hot"><site supply="230 V"><room temperature="12 degC"/></site>
  <chassis kind="frame" slots="12"><psu part="psu/tier-gold-1600"/><cpu part="cpu/generic-workstation"/>
    <gpu part="gpu/l4" slot="1"/></chassis>
  <workload kind="inference" model="model/llama-3.1-8b"/><run for="10 min" start="steady"/></rig>
RIG
exits 0 "a card without air" "$wattsink" run hot.xml -o hot
says out '^Tokens +[0-9.]+ prompt tokens a second \([0-9]+ to [0-9]+\), [0-9.]+ generated \([0-9.]+ to [0-9.]+\)' "has ranges of tokens"
says out 'It generates [0-9.]+ tokens a second \([0-9.]+ to [0-9.]+\)' "also in the verdict"
of() { sed -n 's/.*"'"$1"'": \([0-9.e+-]*\).*/\1/p' hot/summary.json | head -1; }
kept="(1 - $(of lost_fraction))" # the rates are in proportion to the throughput that heat leaves
holds "low end" "$(number hot generation_low_per_s) <= $(number hot generation_per_s) * (1 - $(of lost_fraction_high)) / $kept + 1e-9"
holds "high end" "$(number hot generation_high_per_s) >= $(number hot generation_per_s) * (1 - $(of lost_fraction_low)) / $kept"
holds "prompts too" "$(number hot prompt_low_per_s) < $(number hot prompt_per_s) * (1 - $(number two prompt_spread_rel)) && $(number hot prompt_high_per_s) > $(number hot prompt_per_s)"
holds "± of tokens" "$(number hot generation_spread_rel) > 0.3"
# Heat reduces tokens and watts together, so the energy of a token is less uncertain than the number of tokens.
holds "± of the energy of a token" "$(number hot j_per_token_spread_rel) > 0.05 && $(number hot j_per_token_spread_rel) < 0.8 * $(number hot generation_spread_rel)"
"$wattsink" compare hot.xml hot.xml --json >hot/compare.json
"$wattsink" steady hot.xml --json >hot/steady.json
rel() { sed -n 's/.*"generation_spread_rel": \([0-9.e+-]*\).*/\1/p' "hot/$1" | head -1; }
holds "compare tells the same ±" "($(rel compare.json) / $(rel steady.json) - 1) ^ 2 < 0.01"
said() { sed -n 's/.*It generates [0-9.]* tokens a second ([^0-9]*\([0-9]*\) %).*/\1/p' "hot/$1" | head -1; }
holds "and says it in the verdict" "($(said compare.json) - 100 * $(rel compare.json)) ^ 2 <= 0.26"
energy() { sed -n 's/.*"j_per_token_spread_rel": \([0-9.e+-]*\).*/\1/p' "hot/$1" | head -1; }
holds "also of the energy of a token" "($(energy compare.json) / $(energy steady.json) - 1) ^ 2 < 0.01"

exits 0 "a report" "$wattsink" report two
says two/report.html '<h2>Tokens</h2>' "has a section on tokens"
says two/report.html 'The model fits: it takes [0-9.]+ of 48\.0 GiB' "which tells that the model fits"
says two/report.html '<b>Tokens</b> It generates [0-9.]+ tokens a second' "as the verdict does the rate"
tile() {
    says two/report.html "<dt>$4</dt><dd>$(awk "BEGIN { printf \"%.$3f<small> ±%.$3f\", $(number two "$1"), $(number two "$1") * $(number two "$2") }")</small>" "$1 with its ±"
}
tile generation_per_s generation_spread_rel 1 'generated tokens a second'
tile prompt_per_s prompt_spread_rel 0 'prompt tokens a second'
tile j_per_token j_per_token_spread_rel 1 'energy at the wall for a generated token'
tile cost_per_million cost_spread_rel 2 'electricity cost of a million generated tokens'
tile memory_gib memory_spread_rel 1 'memory that the model takes'
says two/report.html 'Elsewhere a million tokens cost 0\.80 EUR' "the price elsewhere"
"$wattsink" report shared >/dev/null
says shared/report.html 'Requests answered at a time: 4,' "the requests that share the rate"
"$wattsink" report one >/dev/null
says one/report.html 'class="bad">.*<b>Tokens</b> The model does not fit' "a model that does not fit is bad news"
"$wattsink" report vllm >/dev/null
says vllm/report.html '<b>Tokens</b> The model does not fit: it needs' "one that cannot run as well"
lacks vllm/report.html 'generated tokens a second</dt>' "a model that does not fit has no rate"
"$wattsink" report plain >/dev/null
lacks plain/report.html '<h2>Tokens' "no section without a model"
"$wattsink" report two --lang ja >/dev/null
says two/report.html '<h2>トークン</h2>' "in Japanese as well"
if command -v xmllint >/dev/null; then
    sed -E 's/<(meta|link|br)([^>]*)>/<\1\2\/>/g; /^<!DOCTYPE/d' two/report.html >as.xml
    exits 0 "a page that is well-formed" xmllint --noout as.xml
else
    echo "skip a page that is well-formed: no xmllint"
fi
exit $status
