#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# articles/facts lists statements of articles, written down before the first run. articles/missed lists those that the
# model does not meet, with the reason; such a statement fails here if the model meets it after all.
set -u
. tests/golden/helpers.inc
here=tests/golden/articles
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# Each word of the options of a row is one argument; '@' stands for a blank within an argument.
asked() {
    command=$1 rig=$2
    shift 2
    set -f
    words=$*
    set --
    # shellcheck disable=SC2086 # unquoted, to be split into words
    for word in $words; do
        case $word in *@*) word=$(echo "$word" | tr '@' ' ') ;; esac
        set -- "$@" "$word"
    done
    set +f
    "$WATTSINK" "$command" "$here/$rig.xml" -q "$@" >"$dir/out" 2>"$dir/err"
    code=$?
    tr -d '\n' <"$dir/out"
    return $code
}
flag() { case $1 in *"\"$2\": true"*) echo 1 ;; *"\"$2\": false"*) echo 0 ;; *) echo missing ;; esac; }
value() {
    rig=$1 what=$2
    shift 2
    case $what in
    fits) asked check "$rig" "$@" >/dev/null; echo $? ;;
    advice) asked run "$rig" --for 1h --json -o "$dir/run" --force "$@" | sed 's/.*"advice": *//; s/"warnings".*//' ;;
    throttles | trips | overloads) flag "$(asked run "$rig" --for 6h --json -o "$dir/run" --force "$@")" "$what" ;;
    shuts_down_or_throttles)
        json=$(asked run "$rig" --for 6h --json -o "$dir/run" --force "$@")
        case $(flag "$json" throttles)$(flag "$json" shuts_down) in 00) echo 0 ;; *missing*) echo missing ;; *) echo 1 ;; esac ;;
    *) of "$(asked steady "$rig" --json "$@")" "${what##*.}" ;;
    esac
}
met=0
sed 's/^ *//; s/ *$//; s/ *| */|/g' "$here/facts" >"$dir/facts"
while IFS='|' read -r rig options what low high told; do
    case $rig in '' | '#'*) continue ;; esac
    over=${what#* over } key=${what%% *}
    # shellcheck disable=SC2086  # unquoted: options are words
    got=$(set -f; value "$rig" "$key" $options)
    case $what in
    advice) echo "$got" | grep -qi -- "$low" && ok=1 || ok=0
        got=$(echo "$got" | grep -o '"change": "[^"]*"' | head -n 1) ;;
    *" over "*)
        # shellcheck disable=SC2086
        base=$(set -f; value "$rig" "$key" $over)
        got=$(awk -v a="$got" -v b="$base" 'BEGIN { print (b > 0 ? a / b : "missing") }')
        ok=$(awk -v g="$got" -v l="$low" -v h="$high" 'BEGIN { print (g != "missing" && g >= l && g <= h) }') ;;
    *) ok=$(awk -v g="$got" -v l="$low" -v h="$high" 'BEGIN { print (g != "missing" && g + 0 >= l + 0 && g + 0 <= h + 0) }') ;;
    esac
    name="$rig: $told"
    if grep -qF -- "$rig | $told" "$here/missed" 2>/dev/null; then
        [ "$ok" = 0 ] && echo "ok $name: missed, as listed in articles/missed, $got" || { echo "not ok $name: met ($got), but listed in articles/missed"; failed=1; }
    elif [ "$ok" = 1 ]; then
        met=$((met + 1))
        echo "ok $name: $got"
    else
        echo "not ok $name: $got, expected $low to $high $(head -2 "$dir/err")"
        failed=1
    fi
done <"$dir/facts"
echo "$met facts are met"
[ "$met" -gt 0 ] || { echo "not ok the file of facts is read"; failed=1; }
exit $failed
