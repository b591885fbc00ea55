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
# All files are read at once, because starting a process for each file takes minutes on some machines.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sources() { find "$@" -name '*.[ch]' 2>/dev/null | sort; }
each() { xargs -d '\n' "$@"; } # COMMAND...: runs the command on the files that standard input names

sources sim models words draw cli twin extras include web | each grep -H '^# *include ["<]' |
    sed 's/:# *include "\(.*\)".*/ includes \1/; s/:# *include </ includes </' >"$scratch/includes"
includes() { grep "^$1/" "$scratch/includes" | grep -vE "^[^ ]* includes (<|$2)"; } # FOLDER ALLOWED

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

doors() { sed -n "s|^\(.*\) includes <$1.*|\1|p" "$scratch/includes" | grep -vE "^(twin/|web/|$2)"; } # HEADER PLACE
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

# The text of C files without comments and strings, each line with file and line number.
sources sim models cli draw words twin extras include | each awk '
    FNR == 1 { comment = 0 }
    { gsub(/"(\\.|[^"\\])*"/, "\"\""); gsub(/\/\*.*\*\//, ""); sub(/\/\/.*/, "") }
    /\/\*/ { comment = 1 }
    !comment { print FILENAME ":" FNR ": " $0 }
    /\*\// { comment = 0 }' >"$scratch/code"
code() { grep -E "^($1)/" "$scratch/code"; } # FOLDER|FOLDER...
banned() { code "$1" | grep -E "[^a-zA-Z0-9_]($words)[[:space:]]*\(" || :; }
words='strtod|strtof|strtold|atof|atoi|atol|setlocale|sprintf|vsprintf|strcpy|strcat|strncat|gets|strtok|rand|srand|random|tmpnam|mktemp|alloca|sscanf|fscanf|scanf|localtime|gmtime|asctime|ctime|putenv'
# strtod is allowed once, for digits and an exponent without a decimal point, on which the locale has no effect.
check "no banned function" "$(banned 'sim|models|words|draw|cli|twin|extras/mpi' | grep -v '^sim/base/number\.c:[0-9]*: *return strtod(text, NULL);')"
words='printf|puts|putchar|perror|exit|abort|_Exit|assert'
check "the library and the words never print or exit" "$(banned 'sim|models|words')"
words='setenv|tzset|signal|sigaction|fork|chdir|getenv'
check "the library and the words leave the process alone" "$(banned 'sim|models|words')"
check "no state at file scope in the library" \
    "$(code 'sim|models|words' | grep -E '^[^:]*:[0-9]+: static [a-z]' | grep -vE 'const|\(|inline|_Thread_local' || :)"

# -Wpedantic accepts these extensions. CONTRIBUTING.md lists the files that may use them; the format attribute is
# allowed everywhere.
words='__attribute__|__extension__|__builtin_[a-z0-9_]*|__int128|__auto_type|__thread|_*typeof_*|_*asm_*'
check "C17 without extensions, but where CONTRIBUTING.md names them" "$(
    sed -E 's/__attribute__ ?\(\(format(_arg)?\([^()]*\)\)\)//g' "$scratch/code" | grep -E "[^a-zA-Z0-9_]($words)[^a-zA-Z0-9]" |
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
tracked | while read -r file; do [ ! -f "$file" ] || echo "$file"; done >"$scratch/tracked"
grep -E '\.(c|h|sh|gp|xml|xsd)$|^Makefile$|^\.ci/|^tests/(run|same-bits|same-numbers)$' "$scratch/tracked" >"$scratch/licensed"
# A file that has the line among its first three is listed twice.
check "every source says its licence" "$({
    cat "$scratch/licensed"
    each grep -Hnm 1 'SPDX-License-Identifier: GPL-3.0-or-later' <"$scratch/licensed" | sed -n 's/:[1-3]:.*//p'
} | sort | uniq -u)"
check "no path of one machine" "$(grep -vE '^LICENSE$' "$scratch/tracked" | each grep -HnIE '/(home|root|Users|work)/[a-z]')"
# The names are written in pieces, so that this file passes its own check.
registries=$(printf '%s\n' npm+js. yarn+pkg. npm+mirror. pypi+.org python+hosted.org crates+.io ruby+gems.org proxy.golang+.org \
    maven+.apache.org maven+.org deb.debian+.org archive.ubuntu+.com js+delivr.net un+pkg.com | tr -d + | sed 's/[.]/[.]/g' | paste -sd '|')
check "no package registry's host" \
    "$(each grep -HnIE "(^|[^a-z])($registries|npm[.]pkg[.])" <"$scratch/tracked")"
check "the page's lock file names no address" "$(grep -nE '"resolved"|://' web/package-lock.json)"
check "files stay readable" "$(sources sim models words draw cli twin extras include tests web | each wc -l |
    awk '$2 != "total" && $1 > ($2 ~ /\.h$/ ? 250 : 500) { print $2 " has " $1 " lines" }')"

# In each folder, exactly one file must begin with a paragraph that says "Begin with" and names the file to read first.
folders=$(echo sim/*/ sim/study/*/ words/ draw/ cli/ cli/*/)
# shellcheck disable=SC2086 # unquoted: one word a folder
check "one file leads each folder, in at most five lines" "$(find $folders -maxdepth 1 -name '*.[ch]' | sort | each awk '
    function tell() {
        if (text ~ /Begin with/) {
            folder = file
            sub(/[^\/]*$/, "", folder)
            leads[folder]++
            if (n > 5) long[folder] = 1
            told[folder] = told[folder] file " " n " "
        }
        text = ""; n = 0; past = 0
    }
    BEGIN { for (i = 1; i < ARGC; i++) if (ARGV[i] ~ /\/$/) { folders[++count] = ARGV[i]; ARGV[i] = "" } }
    FNR == 1 { tell(); file = FILENAME; next }
    past { next }
    $0 !~ /^(\/\*| \*)/ || $0 == " *" { past = 1; next }
    { text = text " " substr($0, 4); n++ }
    /\*\/$/ { past = 1 }
    END {
        tell()
        for (i = 1; i <= count; i++) {
            folder = folders[i]
            if (leads[folder] != 1 || folder in long) print folder ": " told[folder]
        }
    }' $folders)"

texts=$(sed -n 's/^ *X([A-Z_]*, [A-Z]*, "\([^"]*_[^"]*\)".*/\1/p' include/wattsink_variables.h | sed 's/\./[.]/' | paste -sd '|')
handles=$(sed -n 's/^ *X(\([A-Z_]*\), .*/\1/p' include/wattsink_variables.h)
# The files limit and compare are left out, because the pictures of a comparison have columns of their own.
check "C code names a variable by its enumerator" "$(sources draw words cli | grep -vE '^cli/plot/(limit|compare)\.c$' |
    each awk '{ sub(/\/\*.*/, ""); sub(/^ \*.*/, ""); print FILENAME ":" FNR ":" $0 }' |
    grep -E "\"([^\" ]*[.*])?($texts)([.][a-z]+)?\"")"
find plots -name '*.gp' | grep -vE '/(limit|compare)\.gp$' |
    each awk '!/^ *#/ { print FILENAME ":" FNR ":" $0 }' >"$scratch/plots"
check "a plot script names a variable by its enumerator" "$(grep -E "'([^' ]*[. ])?($texts)[. ']" "$scratch/plots"
    awk -v handles="$handles" '
        BEGIN { split(handles, names); for (i in names) known[names[i]] = 1 }
        {
            n = split($0, words, /[^A-Za-z0-9_]+/)
            for (i = 1; i <= n; i++)
                if (words[i] ~ /^[A-Z]+(_[A-Z]+)+$/ && words[i] !~ /^STATS_/ && !(words[i] in known))
                    print substr($0, 1, index($0, ":")) " no variable " words[i]
        }' "$scratch/plots" | sort -u)"

check "the pictures of a comparison draw the columns that they get" "$(for picture in limit compare; do
    script=$(cat plots/$picture.gp)
    sed -n '/const names_\[/,/;/p' cli/plot/$picture.c | grep -oE '"[a-z_]+"' | tr -d '"' | grep -v '_band$' | while read -r column; do
        case $script in *"'$column'"*) ;; *) echo "plots/$picture.gp lacks $column" ;; esac
    done
done)"

check "every kind has its section in docs/theory, by element and kind" "$(
    grep -hE '^#+ ' docs/theory/*.md | tr '[:upper:]' '[:lower:]' >"$scratch/headings"
    find models -name '*.c' | sort | sed 's|.*/\(.*\)/\(.*\)\.c$|\1 \2|' | awk '
        FILENAME != "-" { heading[++count] = $0 " "; next }
        {
            apart = "[^a-z0-9_]"
            pattern = apart $1 apart "(.*" apart ")?" $2 apart
            for (i = 1; i <= count && heading[i] !~ pattern; i++) { }
            if (i > count) print $1 "/" $2
        }' "$scratch/headings" -)"
check "the schema is current" "$("$WATTSINK" schema | cmp - schema/wattsink.xsd 2>&1)"
exit $status
