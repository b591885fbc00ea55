#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
rig=load.xml
vary='--vary gpu.power-limit=200..300W'
export WATTSINK_PARTS="$top/parts"

# Each row is EXIT|ARGUMENTS|WORDS. WORDS are in the first line of the messages, or if there are none, of the output.
while IFS='|' read -r want call words; do
    # shellcheck disable=SC2086 # unquoted: arguments
    eval "set -- $call"
    "$wattsink" "$@" >out 2>err </dev/null
    got=$? said=$(cat err out | head -1)
    case $got,$said in
    "$want,"*"$words"*) pass "$call" ;;
    *) fail "$call" "exit $got, expected $want: $said" ;;
    esac
done <<END
2|sweep $rig $vary/3 --seed 3|wattsink sweep: --seed is for --sample N
2|sweep $rig $vary/3 --method lhs|wattsink sweep: --method is for --sample N
2|sweep $rig $vary --sample 3 --method foo|wattsink sweep: --method 'foo': expected lhs or sobol
2|sweep $rig $vary --sample 0|wattsink sweep: --sample '0': expected a whole number from 1 to 1000000
2|sweep $rig $vary --sample 2x|wattsink sweep: --sample '2x': expected a whole number from 1 to 1000000
2|sweep $rig $vary --sample 2000000|wattsink sweep: --sample '2000000': expected a whole number
2|sweep $rig $vary --sample 2 --jobs 0|wattsink sweep: --jobs '0': expected a whole number from 1 to 1024
2|sweep $rig $vary --sample 2 --jobs 1.5|wattsink sweep: --jobs '1.5': expected a whole number from 1 to 1024
2|sweep $rig $vary --sample 2 --resume --force|wattsink sweep: --resume or --force, not both
2|sweep $rig $vary --sample 2 --stepper slow|wattsink sweep: --stepper 'slow': expected fast or reference
2|sweep - $vary --sample 2|wattsink sweep: a rig from standard input needs -o FILE
2|compare $rig|wattsink compare: at least two rigs, or one and --vary
2|compare $rig $rig --rate 5|wattsink compare: --rate '5': expected interest a year from 0 to 100 %, such as 5%
2|compare $rig $rig --rate 101%|wattsink compare: --rate '101%': expected interest
2|compare $rig $rig --rate -1%|wattsink compare: --rate '-1%': expected interest
2|compare $rig $rig --rate x%|wattsink compare: --rate 'x%': expected interest
2|compare $rig $rig --years 0|wattsink compare: --years '0': expected whole years from 1 to 100
2|compare $rig $rig --years 2.5|wattsink compare: --years '2.5': expected whole years from 1 to 100
2|compare $rig $rig --years 101|wattsink compare: --years '101': expected whole years from 1 to 100
2|compare $rig $rig --years 2y|wattsink compare: --years '2y': expected whole years from 1 to 100
2|compare $rig $rig --years x|wattsink compare: --years 'x': expected whole years from 1 to 100
2|check a b|wattsink check: one rig at a time, and 'b' is none
2|run|wattsink run: which rig?
2|run $rig --nonsense|wattsink run: unknown option '--nonsense'
2|run $rig --stepp fast|wattsink run: unknown option '--stepp'; did you mean '--step'?
2|run $rig --for|wattsink run: option '--for' needs a value
2|run $rig -q=yes|wattsink run: option '-q' takes no value
2|export $rig --replay 99s|wattsink export: as --spice or as --json?
2|parts a b|wattsink parts: one family, or --show ID
2|parts --show gpu/l4 --search l4|wattsink parts: --show or --search, not both
2|check $rig --parts a --parts=b|wattsink check: option '--parts' is given twice
3|parts --parts nowhere|wattsink: --parts nowhere: no such folder
3|parts nofamily|wattsink: there is no family of parts 'nofamily'; 'wattsink parts' lists all
3|parts psv|wattsink: there is no family of parts 'psv'; did you mean 'psu'?
2|kinds a b|wattsink kinds: one element at a time
3|kinds psv|wattsink: no element 'psv'; did you mean 'psu'?
2|help a b|wattsink help: one command at a time
2|help swep|wattsink: unknown command 'swep'; did you mean 'sweep'?
2|schema x|wattsink schema: takes no argument
2|swep|wattsink: unknown command 'swep'; did you mean 'sweep'?
2|.|wattsink: unknown command '.'; did you mean 'report .'?
2|$rig|wattsink: unknown command '$rig'; did you mean 'run $rig'?
2|new a|wattsink new: 'a': the file goes after -o
2|new --gpus 0|wattsink new: --gpus
2|new --gpus 1.5|wattsink new: --gpus
2|new --gpus x|wattsink new: --gpus
2|new --gpu 'a<b'|wattsink new: --gpu 'a<b': expected the id of a part
3|new --gpu zzz|wattsink: --gpu: there is no part "gpu/zzz"
0|--version|wattsink 0.
0|-V|wattsink 0.
0|--help|wattsink simulates GPU servers
0|-h|wattsink simulates GPU servers
0|run -h|wattsink run: simulate a rig
0|run --help|wattsink run: simulate a rig
0|help run|wattsink run: simulate a rig
0|parts psu --search gold|gold
END
exit $status
