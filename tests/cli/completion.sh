#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

# offered WORD: is it among those that the program has written to the file out?
offered() { word=$1 awk -F '\t' '$1 == ENVIRON["word"] { found = 1 } END { exit !found }' out; }
offers() {
    name=$1 expected=$2
    shift 2
    "$wattsink" help --complete -- "$@" >out 2>err || fail "$name" "$(cat err)"
    if offered "$expected"; then pass "$name"; else fail "$name" "no $expected in: $(head -5 out)"; fi
}
offers_not() {
    name=$1 unwanted=$2
    shift 2
    "$wattsink" help --complete -- "$@" >out 2>err
    if offered "$unwanted"; then fail "$name" "$unwanted offered"; else pass "$name"; fi
}

commands=$("$wattsink" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do offers "the command $command" "$command" ""; done
offers_not "only what begins so" run s
# The parser must know every offered option: it then complains about a missing value, rig or folder, not about the
# option.
for command in $commands; do
    "$wattsink" help "$command" | sed -n 's/^  \(-.\{19\}\).*/\1/p' | grep -oE -- '--[a-z][a-z-]*' | sort -u >named
    "$wattsink" help --complete -- "$command" -- | cut -f1 | grep -vx -- --help | sort -u >offered
    if cmp -s named offered; then pass "$command: the options of its help"; else fail "$command: the options of its help" "$(diff named offered)"; fi
    while read -r option; do
        case $("$wattsink" "$command" "$option" </dev/null 2>&1) in *"unknown option '$option'"*) echo "$option" ;; esac
    done <offered >refused
    if [ -s refused ]; then fail "$command: knows them" "$(cat refused)"; else pass "$command: knows them"; fi
done
# A description that is cut must not be cut within parentheses.
for command in $commands; do
    "$wattsink" help --complete -- "$command" --
    "$wattsink" help --complete -- "$command" -o
done | cut -f2 | awk '{ text = $0; if (gsub(/[(]/, "") != gsub(/[)]/, "")) print text }' | sort -u >cut
if [ -s cut ]; then fail "no description is cut within parentheses" "$(cat cut)"; else pass "no description is cut within parentheses"; fi
"$wattsink" help --complete -- run -o >out
says out '^-o	.*\(.*;.*\)' "the whole meaning of -o"
offers "a rig for run" :rigs run ""
offers "rigs for compare" :rigs compare two-cards.xml ""
offers "a folder for plot" :dirs plot ""
offers "a folder for -o" :dirs run two-cards.xml -o ""
offers "a file for new -o" :files new -o ""
offers "parts of the option's family" gpu/rtx-3090-blower new --gpu gpu/rtx-3090-b
offers "and behind its equals sign" gpu/rtx-3090-blower new --gpu=gpu/rtx-3090-b
offers "all parts for --show" psu/tier-gold-1600 parts --show psu/
offers "families" radiator parts ""
offers "elements" gpu kinds g
offers "the choices of an option" reference steady two-cards.xml --stepper r
offers "pictures" temps plot x --what ""
offers "pictures of a comparison" limit plot x --what li
offers "a calibration's picture" calibration plot x --what cal
offers "formats" term plot x --format=te
offers "what shall be surer" work calibrate x.xml --goal w
offers "recordings" memory calibrate --plan me
offers_not "words behind the recordings" nothing calibrate --plan ""
offers "countries" jp new --country j
offers "countries for suggest" gb suggest --country g
offers "engines" vllm suggest --engine v
offers "weights" Q4_K_M suggest --quant Q4
offers "models" model/llama-3.1-70b suggest --model model/llama-3.1-70
for word in "" ll llama-3.1-70b; do offers "and by their short names, as suggest takes them, behind '$word'" llama-3.1-70b suggest --model "$word"; done
offers "both" model/llama-3.1-70b suggest --model ""
offers "short names of cards" rtx-3090-blower new --gpu rtx-3090-b
offers "behind an equals sign" rtx-3090-blower new --gpu=rtx-3090-b
offers_not "none where only a whole name is taken" rtx-3090-blower parts --show rtx-3090-b

offers "elements of the rig, numbered" "gpu[1]." run two-cards.xml --set gp
offers "or all of them" "gpu[*]." run two-cards.xml --set "gpu["
offers_not "but no more than there are" "gpu[2]." run two-cards.xml --set "gpu["
offers_not "nor what the rig has not" radiator. run two-cards.xml --set ""
offers "everything without a rig" radiator. run - --set ""
offers "attributes" "gpu[0].power-limit=" run two-cards.xml --set "gpu[0].pow"
offers "attributes for --vary" "gpu.power-limit=" compare two-cards.xml --vary gpu.pow
offers "behind an equals sign" "gpu.power-limit=" compare two-cards.xml --vary=gpu.pow
offers "children" "gpu[0].cooler." run two-cards.xml --set "gpu[0].coo"
offers "parts as values" psu=psu/tier-gold-1600 run two-cards.xml --set psu=psu/tier-gold
offers "and of children" "gpu[0].cooler=cooler/generic-blower" run two-cards.xml --set "gpu[0].cooler=cooler/gen"
offers "the next of a list" psu=psu/tier-gold-750,psu/tier-gold-1600 compare two-cards.xml --vary psu=psu/tier-gold-750,psu/tier-gold-1
offers "an attribute's choices" chassis.side-panel=open run two-cards.xml --set chassis.side-panel=
offers "the value that it has, with its unit" "gpu[1].power-limit=280W" run two-cards.xml --set "gpu[1].power-limit="
offers "of the card that is meant" "gpu[0].tdp=350W" run two-cards.xml --set "gpu[0].tdp="
offers "of a child" "gpu[1].cooler.conductance=$(sed -n 's/.*conductance="\([0-9]*\) W.K".*/\1/p' two-cards.xml | sed -n 2p)W/K" run two-cards.xml --set "gpu[1].cooler.conductance="
offers "kinds" gpu.cooler.kind=blower run two-cards.xml --set gpu.cooler.kind=b
sed '0,/<cooler /s//<cooler fan-curve="30 degC:1000 rpm, 80 degC:3000 rpm" /' two-cards.xml >curve.xml
offers_not "the value of a curve, which is more than one word" "gpu[0].cooler.fan-curve=30degC:1000rpm,80degC:3000rpm" run curve.xml --set "gpu[0].cooler.fan-curve="
offers_not "of a card that is not there" "gpu[5].power-limit=280W" run two-cards.xml --set "gpu[5].power-limit="
offers "commands for help" sweep help s
offers "languages" ja run two-cards.xml --lang ""
offers "short options behind their dash" -o run two-cards.xml -o
offers_not "but not behind a dash alone" -o run two-cards.xml -
mkdir -p own/gpu data
cp "$top/parts/gpu/rtx-3090-blower.xml" own/gpu/my-card.xml
offers "the catalogue, if the own folder is not there" gpu/rtx-3090-blower new --parts nowhere --gpu gpu/rtx-3090-b
offers "a number of four letters" "gpu[0].slot=1" run two-cards.xml --set "gpu[0].slot="
offers_not "no value without a rig" "gpu[0].power-limit=280W" run --set "gpu[0].power-limit="
offers "a rig behind a flag" :rigs run --watch ""
offers "a rig behind an option that there is not" :rigs run --nosuch ""
offers_nothing() {
    name=$1
    shift
    exits 0 "$name" "$wattsink" help --complete -- "$@"
    [ ! -s out ] && pass "$name: nothing" || fail "$name: nothing" "$(head -3 out)"
}
offers_nothing "a number" run two-cards.xml --for ""
offers_nothing "an option that there is not, and its value" run --nosuch=
offers_nothing "words of a command that takes none" suggest ""
offers_nothing "a part of an element without parts" run two-cards.xml --set chassis.vent=
long=$(printf '%080d' 0 | tr 0 n)
sed "0,/<gpu /s||<gpu name=\"$long\" |" two-cards.xml >long.xml
exits 0 "a long name: is valid" "$wattsink" check -q long.xml
offers_nothing "a value of eighty letters" run long.xml --set "gpu[0].name="
sed '0,/<gpu /s||<gpu name="my-card" |' two-cards.xml >named.xml
offers "a name" "gpu[0].name=my-card" run named.xml --set "gpu[0].name="
offers "parts of one's own" gpu/my-card new --parts own --gpu gpu/my
offers_not "only with their folder" gpu/my-card new --gpu gpu/my
printf 't_s,load_percent\n0,50\n60,100\n' >data/load.csv
sed 's|<workload [^>]*>|<workload kind="replay" utilisation="load.csv"/>|' two-cards.xml >replayed.xml
cmp -s two-cards.xml replayed.xml && fail "a rig with a data file: made" "the edit changed nothing"
offers_not "elements of a rig whose data is elsewhere" radiator. run replayed.xml --data data --set ""
offers "which is not read without its folder" radiator. run replayed.xml --set ""
"$wattsink" help --complete -- run two-cards.xml --set "gpu[0]." | cut -f1 | grep '=$' >paths
bad=$(while read -r path; do
    "$wattsink" steady two-cards.xml --set "${path}nonsense" 2>&1 </dev/null
done <paths | grep -E 'nothing in <.* is called|there is no [a-z-]+\[|the path cannot be read' | head -n 3)
if [ -s paths ] && [ -z "$bad" ]; then pass "--set knows all that is offered"; else fail "--set knows all that is offered" "$bad"; fi
for words in "" "nosuch" "run nowhere.xml --set" "run --set ]" "sweep --vary .=" "run --set =" "run --set gpu[=,"; do
    # shellcheck disable=SC2086 # unquoted, to be split into words
    exits 0 "no trouble with: $words" "$wattsink" help --complete -- $words ""
done

# The variables COMP_... are those that readline sets for a completion function.
mkdir -p "two words" deep && cp two-cards.xml "two words/my rig.xml"
complete_bash() {
    PATH=$(dirname "$wattsink"):$PATH bash --norc -c '
        . "$1/completions/wattsink.bash"
        COMP_LINE=$2 COMP_POINT=${#2}
        read -ra COMP_WORDS <<<"$2"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _wattsink
        printf "%s\n" "${COMPREPLY[@]}"' bash "$top" "$1"
}
bash_offers() {
    if complete_bash "$2" | grep -qxF -- "$3"; then pass "bash: $1"; else fail "bash: $1" "no $3 in: $(complete_bash "$2" | head -n 5)"; fi
}
if command -v bash >/dev/null 2>&1; then
    bash_offers "commands" "wattsink st" steady
    bash_offers "options" "wattsink run --st" --stepper
    bash_offers "rigs" "wattsink run two-" two-cards.xml
    bash_offers "folders on the way to rigs" "wattsink run de" deep
    bash_offers "names with spaces" "wattsink run 'two words/my" "two words/my rig.xml"
    bash_offers "and with backslashes" "wattsink run two\\ words/my" "two words/my rig.xml"
    bash_offers "behind those" "wattsink run two\\ words/my\\ rig.xml --set gpu\\[1" "gpu[1]."
    bash_offers "and behind them" "wattsink run 'two words/my rig.xml' --set gpu[1" "gpu[1]."
    bash_offers "part ids" "wattsink parts --show gpu/rtx-3090-bl" gpu/rtx-3090-blower
    bash_offers "short names" "wattsink suggest --model llama-3.1-7" llama-3.1-70b
    bash_offers "paths" "wattsink run two-cards.xml --set gpu[0].power-lim" "gpu[0].power-limit="
    bash_offers "paths in quotes" "wattsink run two-cards.xml --set 'gpu[*].power-lim" "gpu[*].power-limit="
    bash_offers "values, from the equals sign on" "wattsink run two-cards.xml --set psu=psu/tier-gold-16" psu/tier-gold-1600
    bash_offers "values in quotes, whole" "wattsink run two-cards.xml --set 'psu=psu/tier-gold-16" psu=psu/tier-gold-1600
    bash_offers "the program by its path" "$wattsink st" steady
else
    echo "skip bash: not installed"
fi

if command -v zsh >/dev/null 2>&1; then
    zsh -n "$top/completions/_wattsink" && pass "zsh: the syntax" || fail "zsh: the syntax"
    cat >drive.zsh <<'END'
zmodload zsh/zpty || exit 77
zpty shell "TERM=dumb PATH='$1:$PATH' zsh -f"
zpty -w shell "PS1=; cd '$PWD'; fpath=('$2/completions' \$fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste"
zpty -w shell "zle -C it complete-word _generic; zstyle ':completion:*' completer _complete; bindkey '^I' complete-word; LISTMAX=1000"
zpty -w shell "say() { print -r -- \"<<\$BUFFER>>\"; BUFFER=; zle accept-line }; zle -N say; bindkey '^X' say; print ready"
zpty -r -m shell text "*ready*ready*" || exit 1
for line in "${@:3}"; do
    zpty -w -n shell "$line"$'\t'
    zpty -w -n shell $'\x18'
    zpty -r -m shell text "*<<*>>*"
    print -r -- "${${text##*<<}%%>>*}"
done
END
    zsh -f drive.zsh "$(dirname "$wattsink")" "$top" "wattsink stea" "wattsink parts --show gpu/rtx-3090-bl" \
        "wattsink suggest --model llama-3.1-7" \
        "wattsink run two-c" "wattsink run two-cards.xml --set gpu\\[0\\].power-floo" "wattsink run two-cards.xml --set psu=psu/tier-gold-16" \
        >zsh.out 2>zsh.err </dev/null
    if [ $? = 77 ]; then echo "skip zsh: no zpty"; else
        says zsh.out '^wattsink steady ?$' "zsh: a command"
        says zsh.out '^wattsink parts --show gpu/rtx-3090-blower ?$' "zsh: a part"
        says zsh.out '^wattsink suggest --model llama-3.1-70b ?$' "zsh: a short name"
        says zsh.out '^wattsink run two-cards.xml ?$' "zsh: a rig"
        says zsh.out 'gpu\\\[0\\\]\.power-floor=$' "zsh: a path"
        says zsh.out 'psu=psu/tier-gold-1600 ?$' "zsh: a value"
    fi
else
    echo "skip zsh: not installed"
fi
exit $status
