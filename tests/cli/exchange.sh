#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
tokyo=$top/scenarios/bronze-vs-gold/tokyo.xml
quick() { "$wattsink" run "$tokyo" --parts "$top/parts" --for 1h -q --json --force --set psu=psu/tier-gold-1600 "$@"; }
purchase() { grep -o '"purchase": [0-9.e+]*, "purchase_currency": "[A-Z]*"' | head -n 1 | sed 's/[^0-9A-Z.]*\([0-9.e+]*\), "purchase_currency": "\([A-Z]*\)"/\1 \2/'; }
# is CURRENCY FACTOR NAME: the purchase price in the file `got` is that in the file `own` times the factor.
is() {
    if awk -v unit="$1" -v by="$2" 'NR == 1 { own = $1 } NR == 2 { ok = $2 == unit && $1 / own / by > 1 - 1e-6 && $1 / own / by < 1 + 1e-6 } END { exit !ok }' own got; then
        pass "$3"; else fail "$3" "$(cat own got)"; fi
}
quick | purchase >own
says own '^[0-9.]+ USD$' "without a rate the price stays"
quick --exchange 'USD=150 JPY' | purchase >got
is JPY 150 "a rate converts it"
quick --exchange 'JPY=0.005USD' | purchase >got
is JPY 200 "in either direction"
quick --exchange 'USD=0.8 EUR' --exchange 'EUR=160 JPY' | purchase >got
is JPY 128 "and over another currency"
quick --exchange 'EUR=160 JPY' | purchase >got
is USD 1 "a rate of others changes nothing"
sed 's|</site>|<exchange currency="USD" value="150 JPY"/></site>|' "$tokyo" >rated.xml
"$wattsink" run rated.xml --parts "$top/parts" --for 1h -q --json --set psu=psu/tier-gold-1600 | purchase >got
is JPY 150 "a rate of the rig does the same"
for option in 'USD=120 JPY' 'JPY=0.008333333333333333 USD'; do
    "$wattsink" run rated.xml --parts "$top/parts" --for 1h -q --json --force --set psu=psu/tier-gold-1600 --exchange "$option" | purchase >got
    is JPY 120 "--exchange '$option' comes before a rate of the rig"
done
sed 's|currency="USD"|currency=" USD "|' rated.xml >blank.xml
for option in 'USD=120 JPY' ' USD =120 JPY' 'JPY=0.008333333333333333 USD'; do
    "$wattsink" run blank.xml --parts "$top/parts" --for 1h -q --json --force --set psu=psu/tier-gold-1600 --exchange "$option" | purchase >got
    is JPY 120 "--exchange '$option' comes before a rate with blanks"
done
"$wattsink" run rated.xml --parts "$top/parts" --for 1h -q --json --force --set psu=psu/tier-gold-1600 --exchange 'EUR=160 JPY' | purchase >got
is JPY 150 "one of other currencies leaves it"
for twice in 'USD=120 JPY' 'USD=150 JPY' 'JPY=0.01 USD'; do
    exits 3 "USD=150 JPY and $twice" "$wattsink" check "$tokyo" --exchange 'USD=150 JPY' --exchange "$twice"
    says err 'another --exchange gives a rate of the same two currencies' "two rates of one pair are refused"
done
quick --exchange 'USD=150 JPY' -o first >one.json
"$wattsink" run first/rig.resolved.xml --for 1h -q --json -o second >two.json
cmp -s first/rig.resolved.xml second/rig.resolved.xml && pass "the resolved rig says the same again" || fail "the resolved rig says the same again"
purchase <two.json >got
is JPY 150 "with the same purchase"
exits 0 "a payback in the tariff's currency" "$wattsink" compare "$tokyo" --vary psu=psu/tier-bronze-1600,psu/tier-gold-1600 --annual --exchange 'USD=150 JPY'
tr -s '\n ' ' ' <out >flat
says flat 'Purchase: 1255[0-9] JPY more. Payback: ' "is counted"
cat >parts.xml <<'RIG'
<rig><site><tariff kind="flat" price="0.30 EUR/kWh"/></site><chassis slots="4"><psu id="p" kind="constant" rated="800 W" efficiency="90 %" price="100 USD"/>
  <fan id="f" part="fan/generic-120-1500" at="front" count="3" price="10 USD"/><gpu id="g" part="gpu/rtx-3090" slot="1" price="700 USD"/></chassis><workload class="training"/></rig>
RIG
"$wattsink" check parts.xml --parts "$top/parts" >out 2>err
says out '; all parts: 830.00 USD, without a price: chassis0 \(--prices FILE gives one\)$' "check adds prices"
says out '^  UPS from [0-9]+ VA, [0-9]+ W$' "and tells the size of a UPS"
"$wattsink" check parts.xml --parts "$top/parts" --exchange 'EUR=2 USD' >out 2>err
says out '; all parts: 415.00 EUR' "in the tariff's currency"
"$wattsink" check parts.xml --parts "$top/parts" --set 'gpu.price=700EUR' >out 2>err
says out "; parts: prices in several currencies; --exchange 'USD=RATE EUR' converts them" "two currencies are not added"
"$wattsink" check parts.xml --parts "$top/parts" --set 'gpu.price=700CHF' --set psu.price=90EUR --set fan.price=3EUR >out 2>err
says out "; parts: prices in several currencies; --exchange 'CHF=RATE EUR' converts them" "the ones that there are are named"
sed 's|<tariff[^>]*/>||' parts.xml >bare.xml
"$wattsink" check bare.xml --parts "$top/parts" --set 'gpu.price=700CHF' >out 2>err
says out "; parts: prices in several currencies; --exchange 'CHF=RATE USD' converts them" "also without a tariff"
"$wattsink" check bare.xml --parts "$top/parts" --set 'gpu.price=700CHF' --exchange 'CHF=1.5 USD' >out 2>err
says out '; all parts: 1180 USD' "by the option that is told"
# A list of prices as a spreadsheet saves it, and one with a price out of range.
printf '\357\273\277gpu/rtx-3090,800 USD,2026-10-01\n' >mark.csv
exits 0 "a list of prices with a byte order mark" "$wattsink" check parts.xml --parts "$top/parts" --prices mark.csv
printf 'g\000p\000u\000/\000' >wide.csv
exits 3 "a list in UTF-16" "$wattsink" check parts.xml --parts "$top/parts" --prices wide.csv
says err '^wide\.csv:1:1: the text is encoded as UTF-16' "is named as such"
# A water block is bought beside its card, unlike the cooler that a card has.
wet="$top/scenarios/water-3090/rig.xml"
"$wattsink" check "$wet" --set cpu.price=1000USD >out 2>err
says out '; all parts: 4699 USD, without a price: cooler/block-rtx-3090 \(--prices FILE gives one\)$' "check names water blocks without a price"
"$wattsink" steady "$wet" --set cpu.price=1000USD --json >out 2>err
says out '"purchase": null' "and the purchase is not known"
printf 'id;price;date\ncooler/block-rtx-3090;149,5 USD;2026-08-01\n' >block.csv
"$wattsink" check "$wet" --set cpu.price=1000USD --prices block.csv >out 2>err
says out '; all parts: 4998 USD$' "a list prices them"
"$wattsink" check "$wet" --set cpu.price=1000USD --set 'gpu[*].cooler.price=0USD' >out 2>err
says out '; all parts: 4699 USD$' "one that comes with the card costs nothing"
printf 'id,price,date\ncooler/rtx-4090-fe,10 USD,2026-08-01\n' >air.csv
exits 3 "a price of a cooler that a card has" "$wattsink" check "$top/scenarios/single-3090/rig.xml" --set 'gpu=gpu/rtx-4090' --prices air.csv
says err 'air.csv:2:1: parts of <cooler> have no price' "is refused"
printf 'id,price,date\ngpu/rtx-3090,1e9 USD,2026-10-01\n' >dear.csv
exits 3 "a price out of range" "$wattsink" check parts.xml --parts "$top/parts" --prices dear.csv
says err '^dear.csv:2:1: "1e9 USD" is out of range; expected at most 10000000 USD' "is told at its line of the list"
exits 0 "without a rate" "$wattsink" compare "$tokyo" --vary psu=psu/tier-bronze-1600,psu/tier-gold-1600 --annual
tr -s '\n ' ' ' <out >flat
says flat "no payback. --exchange 'USD=RATE JPY' converts" "the command that gives it is told"
"$wattsink" sweep "$tokyo" --parts "$top/parts" --for 1h -q --vary psu=psu/tier-bronze-1600,psu/tier-gold-1600 --columns purchase,purchase_currency --exchange 'USD=150 JPY' -o rated.csv
says rated.csv '^2,.*,[0-9.]*,JPY$' "a sweep converts prices"

# Without a rate the purchase keeps its currency, which is neither added to nor compared with the electricity's.
least() { # CODE NAME ARGUMENTS...
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" optimise parts.xml --parts "$top/parts" -q --for 30min --set chassis.price=0USD --over gpu.power-limit=250W,300W --where 'gpus.work_rel > 0.1' "$@"
}
least 0 "the least purchase" --min purchase
says out '^    purchase 830 USD' "is in its own currency"
least 0 "the purchase with --exchange" --min purchase --exchange 'EUR=2 USD'
says out '^    purchase 415 EUR' "it is in the tariff's"
least 0 "a limit on the purchase in USD, without --exchange" --min purchase --where 'purchase < 1000 USD'
says out 'purchase < 1000 USD: 170 USD away' "is kept, in USD"
least 2 "a limit on the purchase in EUR, without --exchange" --min purchase --where 'purchase < 1000 EUR'
says err "column 17: the parts are priced in USD" "is refused"
least 0 "a limit on the purchase in EUR, with --exchange" --min purchase --where 'purchase < 1000 EUR' --exchange 'EUR=2 USD'
least 2 "with --exchange a limit in USD where all costs are in EUR" --min purchase --where 'purchase < 1000 USD' --exchange 'EUR=2 USD'
says err "the tariff's currency is EUR" "is refused"
for sum in purchase+cost.annual cost.annual-0.2*purchase; do
    least 2 "the goal $sum" --min "$sum"
    says err "the electricity is paid in EUR and the parts in USD; --exchange 'USD=RATE EUR' converts" "names the currencies"
    least 0 "the goal $sum with a rate" --min "$sum" --exchange 'EUR=2 USD'
    says out " -?[0-9.]+ EUR" "has a currency"
done
least 2 "a limit on a sum" --min cost.annual --where 'purchase + cost.annual < 3000'
says err 'the electricity is paid in EUR and the parts in USD' "is refused"
least 3 "a cost of owning in two currencies" --min owning.annual
says err "owning.annual: parts are priced in USD and the electricity in EUR; --exchange 'USD=RATE EUR' converts" "names them"
least 3 "a cost of parts in several currencies" --min purchase --set gpu.price=700GBP --set psu.price=100EUR
says err "purchase: parts are priced in (USD|GBP) and the electricity in EUR; --exchange" "names the option"
for question in 'min purchase+cost.annual' 'min cost.annual where purchase < 1000 EUR'; do
    exits 2 "sweep --best '$question'" "$wattsink" sweep parts.xml --parts "$top/parts" -q --for 1h --vary gpu.power-limit=250W,300W --best "$question" -o mixed.csv
    says err 'parts (are priced )?in USD' "is refused"
done

# Without a rate the table of power limits has no "all in" cost, and says why.
exits 0 "power limits in two currencies" "$wattsink" compare parts.xml --parts "$top/parts" --set chassis.price=0USD --for 30min --vary gpu.power-limit=250W,300W
tr -s '\n ' ' ' <out >flat
says flat "Electricity is paid in EUR and the parts in USD: no \"all in\". --exchange 'USD=RATE EUR' converts" "say why there is no all-in cost"
exits 0 "with a rate" "$wattsink" compare parts.xml --parts "$top/parts" --set chassis.price=0USD --for 30min --vary gpu.power-limit=250W,300W --exchange 'EUR=2 USD'
grep -q 'Electricity is paid' out && fail "nothing is said" "$(cat out)" || pass "nothing is said"
says out 'all in' "and there is one"
exits 0 "parts in several currencies" "$wattsink" compare parts.xml --parts "$top/parts" --set gpu.price=700EUR --for 30min --vary gpu.power-limit=250W,300W
tr -s '\n ' ' ' <out >flat
says flat 'The parts are priced in different currencies. --exchange converts' "are told once"

# Rigs that are paid in two currencies.
sed 's|<tariff[^>]*/>|<tariff kind="flat" price="0.40 USD/kWh"/>|' parts.xml >usd.xml
for option in 'EUR=1.25 USD' 'USD=0.8 EUR'; do
    exits 0 "two currencies of electricity" "$wattsink" compare parts.xml usd.xml --parts "$top/parts" --for 2h --exchange "$option"
    cp out both
    exits 0 "with $option" "$wattsink" compare usd.xml parts.xml --parts "$top/parts" --for 2h --exchange "$option" --json
    says both '^purchase +EUR +664 +664$' "the purchase is in the currency of the first"
    says both '^Winner: parts, .* EUR per GPU-hour of work' "the cheaper one wins"
    grep -q 'currencies' both && fail "no currency is told as another" "$(cat both)" || pass "no currency is told as another"
    sed -n 's/.*"cost": { "currency": "\([A-Z]*\)", "run": \([0-9.]*\), "annual": \([0-9.]*\).*/\2 \3 \1/p' out >costs
    awk 'NR == 1 { run = $1; year = $2 } NR == 2 { a = $1 / run / 0.9375 - 1; b = $2 / year / 0.9375 - 1; ok = a * a < 1e-12 && b * b < 1e-12 && $3 == "USD" } END { exit !ok }' costs &&
        pass "JSON has all costs in one currency" || fail "JSON has all costs in one currency" "$(cat costs)"
done
# A rate that any of the rigs states is enough, whatever the order of the rigs, and also for a rig that states none.
sed 's|</site>|<exchange currency="EUR" value="1.25 USD"/></site>|' parts.xml >parts-rated.xml
for rigs in "usd.xml parts-rated.xml" "usd.xml parts.xml parts-rated.xml" "parts.xml usd.xml parts-rated.xml" "parts-rated.xml usd.xml"; do
    # shellcheck disable=SC2086 # unquoted: several files
    exits 0 "$rigs, of which one states a rate" "$wattsink" compare $rigs --parts "$top/parts" --for 2h
    grep -q 'currencies' out && fail "are compared in one currency" "$(cat out)" || pass "are compared in one currency"
    case $rigs in usd*) money=USD equal=830 ;; *) money=EUR equal=664 ;; esac
    tr -s '\n ' ' ' <out >flat
    says flat "purchase ($money $equal $equal|$equal $money)" "which is that of the first"
done
exits 0 "without a rate" "$wattsink" compare parts.xml usd.xml --parts "$top/parts" --for 2h
says out "^--exchange 'USD=RATE EUR' converts" "the option that converts is told"
for bad in 'USD=1.1 USD' 'USD=150' 'USD=150 jpy' 'usd=150 JPY' 'USD' 'USD=-3 JPY' 'USD=0 JPY' 'USD"=1 JPY' 'USD=1<JPY' '=150 JPY'; do
    exits 3 "--exchange '$bad'" "$wattsink" check two-cards.xml --exchange "$bad"
    says err 'expected|out of range' "says what was expected"
done
exits 3 "an exchange rate without a currency" "$wattsink" check two-cards.xml --exchange EUR=1.08
says err '--exchange "EUR=1.08": expected one currency in another' "is told as such, without a line and column"
sed 's|</site>|<exchange currency="USD" value="2 USD"/></site>|' "$tokyo" >itself.xml
exits 3 "a rate of a currency in itself" "$wattsink" check itself.xml --parts "$top/parts"
says err 'the value of USD is in USD; expected another currency' "is refused"
exit $status
