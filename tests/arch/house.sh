#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
status=0
ok() { echo "ok $1"; }
check() {
    if [ -z "$2" ]; then ok "$1"; else
        echo "not ok $1"
        echo "$2" | sed 's/^/    /'
        status=1
    fi
}
sources() { find "$@" -name '*.[ch]' 2>/dev/null | sort; }
includes() {
    folder=$1 allowed=$2
    sources "$folder" | while read -r file; do
        sed -n 's/^# *include "\(.*\)".*/\1/p' "$file" | grep -vE "^($allowed)" | sed "s|^|$file includes |"
    done
}

check "sim/base stands alone" "$(includes sim/base 'sim/base/|wattsink\.h')"
check "sim/log sees base" "$(includes sim/log 'sim/(log|base)/|wattsink\.h')"
check "sim/num sees base" "$(includes sim/num 'sim/(num|base)/')"
check "sim/say sees base, and summaries by wattsink.h" "$(includes sim/say 'sim/(say|base)/|wattsink\.h')"
check "sim/net sees num and base" "$(includes sim/net 'sim/(net|num|base)/|wattsink\.h')"
check "sim/results sees books, step, io and below" "$(includes sim/results 'sim/(control|books|step|results|io|net|num|base)/|wattsink\.h')"
check "sim/control sees net and below" "$(includes sim/control 'sim/(control|net|num|base)/|wattsink\.h')"
check "sim/books sees control and below" "$(includes sim/books 'sim/(books|control|net|num|base)/|wattsink\.h')"
check "sim/step sees books and below" "$(includes sim/step 'sim/(step|books|control|net|num|base)/|wattsink\.h')"
check "sim/study sees results, io and below" "$(includes sim/study 'sim/(study|say|control|books|step|results|io|net|num|base)/|wattsink\.h')"
check "sim/io sees net, num, base" "$(includes sim/io 'sim/(io|net|num|base)/|wattsink\.h')"
check "models see the model interface, curves and base" \
    "$(includes models 'sim/net/(kind|assembly|coolant|class|gpu|fan|cooler|chassis|load|loop|psu|feed|cpu|site|workload|model|governor|rig|[a-z_]*_table)\.h|sim/num/[a-z_]*\.h|sim/base/base\.h')"
check "words see wattsink.h and sim/base" "$(includes words 'words/|sim/base/|wattsink\.h')"
check "draw sees wattsink.h, words, say and base" "$(includes draw 'draw/|words/|sim/(say|base)/|wattsink\.h')"
check "the kit stands below all commands" "$(includes cli/kit 'cli/kit/|words/|sim/base/|wattsink\.h')"
check "cli sees wattsink.h, draw, words, say, base and twin" "$(includes cli 'cli/|draw/|words/|sim/(say|base)/|twin/|wattsink\.h')"
check "the twin's clients stand alone" "$(includes twin 'twin/')"
check "extras see wattsink.h, cli and base" "$(includes extras 'extras/|cli/|sim/base/|wattsink\.h')"
check "web sees wattsink.h, cli, draw, words and base" "$(includes web 'web/|cli/|draw/|words/|sim/base/|wattsink\.h')"

doors() { grep -rlE "^# *include <$1" --include='*.[ch]' sim models cli draw words include extras 2>/dev/null | grep -vE "^$2" || :; }
check "GSL enters through sim/num" "$(doors gsl/ sim/num/)"
check "SQLite enters through one file" "$(doors sqlite3 cli/sweep/store)"
check "libmicrohttpd enters through one header" "$(doors microhttpd.h cli/twin/http)"
check "MPI enters through extras/mpi" "$(doors mpi.h extras/mpi/)"
check "libxml2 enters through sim/io" "$(doors libxml/ sim/io/)"
check "json-c enters through one file" "$(doors json-c/ sim/base/json)"
check "gnuplot starts from cli/plot/gnuplot.c" \
    "$(grep -rnE '"gnuplot"' --include='*.[ch]' sim models cli draw words | grep -v '^cli/plot/gnuplot\.c:' || :)"
check "the verdict on a rig is said in sim/say alone" \
    "$(grep -rlE 'WSK_SAY_(HEAT|VERDICT|BURDEN|THROUGHPUT|CHECK_THROTTLES)(_|\b)' --include='*.[ch]' sim models draw cli words | grep -v '^sim/say/' || :)"
check "no shell is started" "$(grep -rnwE 'system|popen' --include='*.[ch]' sim models cli draw words extras | grep -E '(system|popen) *\(' || :)"

code() { # FOLDER...: text of C files without comments and strings, each line with file and line number
    sources "$@" | while read -r file; do
        sed -e 's/"\(\\.\|[^"\\]\)*"/""/g' -e 's|/\*.*\*/||g' -e 's|//.*||' "$file" |
            awk -v f="$file" '/\/\*/ {c = 1} !c {print f ":" NR ": " $0} /\*\// {c = 0}'
    done
}
banned() { code "$@" | grep -E "[^a-zA-Z0-9_]($words)[[:space:]]*\(" || :; }
words='strtod|strtof|strtold|atof|atoi|atol|setlocale|sprintf|vsprintf|strcpy|strcat|strncat|gets|strtok|rand|srand|random|tmpnam|mktemp|alloca|sscanf|fscanf|scanf|localtime|gmtime|asctime|ctime|putenv'
# strtod is allowed once, for digits and an exponent without a decimal point, on which the locale has no effect.
check "no banned function" "$(banned sim models words draw cli twin extras/mpi | grep -v '^sim/base/number\.c:[0-9]*: *return strtod(text, NULL);')"
words='printf|puts|putchar|perror|exit|abort|_Exit|assert'
check "the library and the words never print or exit" "$(banned sim models words)"
words='setenv|tzset|signal|sigaction|fork|chdir|getenv'
check "the library and the words leave the process alone" "$(banned sim models words)"
check "no state at file scope in the library" \
    "$(code sim models words | grep -E '^[^:]*:[0-9]+: static [a-z]' | grep -vE 'const|\(|inline|_Thread_local' || :)"

# -Wpedantic accepts these extensions. CONTRIBUTING.md lists the files that may use them; the format attribute is
# allowed everywhere.
words='__attribute__|__extension__|__builtin_|__int128|__auto_type|__thread|_*typeof_*|_*asm_*'
check "C17 without extensions, but where CONTRIBUTING.md names them" "$(code sim models cli draw words twin extras include |
    sed -E 's/__attribute__ ?\(\(format(_arg)?\([^()]*\)\)\)//g' | grep -E "[^a-zA-Z0-9_]($words)[^a-zA-Z0-9]" |
    grep -vE '^(sim/num/wide\.[ch]|sim/step/kernel\.h):|^cli/kit/cli\.h:[0-9]+: #define wsk_cli_[a-z]+\(\.\.\.\) __extension__ wsk_cli_')"

build=$(dirname "$WATTSINK")
check "every symbol of the library begins with wsk_" \
    "$(nm -g --defined-only "$build/libwattsink.a" | awk 'NF == 3 && $3 !~ /^wsk_/ && $3 !~ /^__/ {print $3}' | sort -u)"
# Names with a dot come from the compiler (locks of OpenMP). cli/kit/memory.c replaces the C library's malloc and its
# relatives.
check "every symbol of the program begins with wsk_" \
    "$(find "$build/obj/cli" "$build/obj/draw" "$build/obj/words" -name '*.o' -exec nm -g --defined-only {} + 2>/dev/null |
        awk 'NF == 3 && $3 !~ /^wsk_/ && $3 !~ /^__/ && $3 !~ /^\./ && $3 !~ /^(main|malloc|calloc|realloc|aligned_alloc)$/ {print $3}' | sort -u)"
tracked() { git ls-files 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*' | sed 's|^\./||'; }
check "every source says its licence" "$(tracked |
    grep -E '\.(c|h|sh|gp|xml|xsd)$|^Makefile$|^\.ci/|^tests/(run|same-bits|same-numbers)$' | while read -r file; do
        [ -f "$file" ] && ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' && echo "$file"
    done)"
check "no path of one machine" "$(tracked | grep -vE '^LICENSE$' | while read -r file; do
    [ -f "$file" ] && grep -nIE '/(home|root|Users|work)/[a-z]' "$file" /dev/null
done)"
# The names are written in pieces, so that this file passes its own check.
registries=$(printf '%s\n' npm+js. yarn+pkg. npm+mirror. pypi+.org python+hosted.org crates+.io ruby+gems.org proxy.golang+.org \
    maven+.apache.org maven+.org deb.debian+.org archive.ubuntu+.com js+delivr.net un+pkg.com | tr -d + | sed 's/[.]/[.]/g' | paste -sd '|')
check "no package registry's host" "$(tracked | while read -r file; do
    [ -f "$file" ] && grep -nIE "(^|[^a-z])($registries|npm[.]pkg[.])" "$file" /dev/null
done)"
check "the page's lock file names no address" "$(grep -nE '"resolved"|://' web/package-lock.json)"
check "files stay readable" "$(sources sim models words draw cli twin extras include tests web | while read -r file; do
    lines=$(wc -l <"$file")
    case $file in
    *.h) most=250 ;;
    *) most=500 ;;
    esac
    [ "$lines" -le $most ] || echo "$file has $lines lines"
done)"

# In each folder, exactly one file must begin with a paragraph that says "Begin with" and names the file to read first.
check "one file leads each folder, in at most five lines" "$(for folder in sim/*/ words/ draw/ cli/ cli/*/; do
    for file in "$folder"*.[ch]; do
        awk -v f="$file" 'NR > 1 {
            if ($0 !~ /^(\/\*| \*)/ || $0 == " *") exit
            text = text " " substr($0, 4); n++
            if ($0 ~ /\*\/$/) exit
        }
        END { if (text ~ /Begin with/) print f, n }' "$file"
    done >"$build/leads.txt"
    [ "$(awk '$2 <= 5' "$build/leads.txt" | wc -l)" -eq 1 ] && [ "$(wc -l <"$build/leads.txt")" -eq 1 ] ||
        echo "$folder: $(tr '\n' ' ' <"$build/leads.txt")"
done)"

texts=$(sed -n 's/^ *X([A-Z_]*, [A-Z]*, "\([^"]*_[^"]*\)".*/\1/p' include/wattsink_variables.h | sed 's/\./[.]/' | paste -sd '|')
handles=$(sed -n 's/^ *X(\([A-Z_]*\), .*/\1/p' include/wattsink_variables.h)
# The files limit and compare are left out, because the pictures of a comparison have columns of their own.
check "C code names a variable by its enumerator" "$(sources draw words cli | grep -vE '^cli/plot/(limit|compare)\.c$' |
    while read -r file; do
        sed 's|/\*.*||; s|^ \*.*||' "$file" | grep -nE "\"([^\" ]*[.*])?($texts)([.][a-z]+)?\"" | sed "s|^|$file:|"
    done)"
check "a plot script names a variable by its enumerator" "$(find plots -name '*.gp' | grep -vE '/(limit|compare)\.gp$' |
    while read -r file; do
        sed 's/^ *#.*//' "$file" | grep -nE "'([^' ]*[. ])?($texts)[. ']" | sed "s|^|$file:|"
        sed 's/^ *#.*//' "$file" | grep -oE '\b[A-Z]+(_[A-Z]+)+\b' | grep -vE '^STATS_' | sort -u |
            grep -vxF "$handles" | sed "s|^|$file: no variable |"
    done)"

check "the pictures of a comparison draw the columns that they get" "$(for picture in limit compare; do
    sed -n '/const names_\[/,/;/p' cli/plot/$picture.c | grep -oE '"[a-z_]+"' | tr -d '"' | grep -v '_band$' | while read -r column; do
        grep -q "'$column'" plots/$picture.gp || echo "plots/$picture.gp lacks $column"
    done
done)"

check "every kind has its section in docs/theory, by element and kind" "$(find models -name '*.c' | sort | while read -r file; do
    kind=$(basename "$file" .c) element=$(basename "$(dirname "$file")")
    grep -qshiE "^#+ .*\b$element\b.*\b$kind\b" docs/theory/*.md || echo "$element/$kind"
done)"
check "the schema is current" "$("$WATTSINK" schema | cmp - schema/wattsink.xsd 2>&1)"
exit $status
