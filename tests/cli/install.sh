#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

build=$(dirname "$wattsink")
prefix=$(sed 's|/share/wattsink$||' "$build/share-dir")
stage="$scratch/a stage"
cc=${CC:-cc}
unset MAKEFLAGS MFLAGS MAKELEVEL
# Another PREFIX would recompile objects that other tests use.
staged() { make -s -C "$top" BUILD="$build" CC="$cc" PREFIX="$prefix" DESTDIR="$scratch/stage" "$@"; }
exits 0 "make install" staged install
usr=$scratch/stage$prefix
mkfifo rig
"$usr/bin/wattsink" check - <rig >/dev/null 2>&1 &
pid=$!
exec 3>rig
ln "$usr"/lib/libwattsink.so.?.* held.so && ln "$usr/lib/wattsink/libnvidia-ml.so.1" held.nvml
exits 0 "make install while the program runs" staged install
exec 3>&-
wait $pid
kept=$(find "$usr/lib" -samefile held.so -o -samefile held.nvml)
if [ -z "$kept" ]; then pass "libraries in use are not written over"; else fail "libraries in use are not written over" "$kept"; fi
exits 0 "make install with a umask of 077" sh -c 'umask 077 && exec make -s -C "$@"' sh "$top" BUILD="$build" CC="$cc" PREFIX="$prefix" DESTDIR="$scratch/private" install
closed=$(find "$scratch/private$prefix" ! -type l \( ! -perm -044 -o -type d ! -perm -011 -o -path '*/bin/*' ! -perm -011 -o -perm /022 \))
if [ -z "$closed" ]; then pass "everybody can read what it installs"; else fail "everybody can read what it installs" "$(echo "$closed" | head -n 5)"; fi
rm -rf "$scratch/private"
exits 2 "a relative PREFIX" make -s -C "$top" BUILD="$build" CC="$cc" PREFIX=own/place -n install
says err 'PREFIX=own/place: expected a path that begins with /' "is refused"
exits 2 "a home that the shell did not put in" make -s -C "$top" BUILD="$build" CC="$cc" PREFIX='~/place' -n install
# Programs that are linked with the library begin only when the linker's cache has it.
staged -n DESTDIR= install >here && staged -n install >there
if grep -q ldconfig here && ! grep -q ldconfig there; then pass "the linker's cache is renewed, not in a stage"; else fail "the linker's cache is renewed, not in a stage"; fi
# Else sudo make install would leave pages of root in the build folder.
rm -f "$build/man/.done"
exits 0 "make" staged all
present "$build/man/wattsink-run.1" "builds the manual pages too"
[ -e "$build/man/.done" ] && pass "so that make install builds nothing" || fail "so that make install builds nothing"
for file in bin/wattsink $(cd "$top" && ls include/*.h) lib/libwattsink.a lib/libwattsink.so lib/libwattsink.so.0 lib/pkgconfig/wattsink.pc \
    share/man/man1/wattsink.1 share/bash-completion/completions/wattsink share/zsh/site-functions/_wattsink \
    share/wattsink/parts/gpu/rtx-3090-blower.xml share/wattsink/plots/temps.gp share/wattsink/schema/wattsink.xsd \
    share/wattsink/scenarios/single-3090/rig.xml share/doc/wattsink/examples/embed.c; do
    present "$usr/$file" "installed: $file"
done
if readelf -d "$usr/lib/libwattsink.so" 2>/dev/null | grep -q 'SONAME.*\[libwattsink\.so\.0\]'; then pass "its soname"; else fail "its soname"; fi
exits 0 "the installed program finds its parts" "$usr/bin/wattsink" parts gpu
exits 0 "and runs an installed scenario" "$usr/bin/wattsink" steady "$usr/share/wattsink/scenarios/single-3090/rig.xml"
mkdir -p "$stage" && cp -R "$scratch/stage/." "$stage"
exits 0 "a moved installation, with a blank in its path" "$stage$prefix/bin/wattsink" steady "$stage$prefix/share/wattsink/scenarios/single-3090/rig.xml"
exits 0 "a stage with a blank in its path" staged DESTDIR="$stage/b c" install
present "$stage/b c$prefix/bin/wattsink" "is filled"
exits 0 "and emptied" staged DESTDIR="$stage/b c" uninstall
left=$(find "$stage/b c" ! -type d)
if [ -z "$left" ]; then pass "no file is left"; else fail "no file is left" "$left"; fi

# An older version had parts and a scenario that this one does not have. Its list names them, and not what others put there.
share=$usr/share/wattsink
age() {
    mkdir -p "$share/scenarios/past" "$share/parts/past"
    for file in parts/gpu/past.xml parts/past/past.xml scenarios/past/rig.xml; do cp two-cards.xml "$share/$file"; done
    cp two-cards.xml "$share/parts/gpu/mine.xml" && cp two-cards.xml "$share/../elsewhere.xml"
}
age && printf '%s\n' parts/gpu/past.xml parts/past/past.xml scenarios/past/rig.xml parts/../../elsewhere.xml >>"$share/files"
LC_ALL=C sort -o "$share/files" "$share/files"
exits 0 "make install over an older version" staged install
for file in parts/gpu/past.xml parts/past scenarios/past; do absent "$share/$file" "removes what this version does not have: $file"; done
present "$share/parts/gpu/rtx-3090-blower.xml" "and leaves what it has"
present "$share/parts/gpu/mine.xml" "and files of others"
says out '^parts/gpu/mine\.xml$' "which it names"
lacks out 'past\.xml' "and these only"
present "$share/../elsewhere.xml" "it removes nothing outside its folder"
age && rm "$share/files"
exits 0 "over a version without a list" staged install
present "$share/parts/gpu/past.xml" "no part is removed"
says out '^parts/gpu/past\.xml$' "but named"
rm -r "$share/../elsewhere.xml" "$share/parts/gpu/past.xml" "$share/parts/past" "$share/scenarios/past"
mkdir -p "$scratch/linked/share/wattsink" "$scratch/tree-of-parts/gpu"
cp two-cards.xml "$scratch/tree-of-parts/gpu/past.xml" && ln -s "$scratch/tree-of-parts" "$scratch/linked/share/wattsink/parts"
echo parts/gpu/past.xml >"$scratch/linked/share/wattsink/files"
exits 0 "a folder that is a link" sh -c 'cd "$1" && .ci/installed remove "$2"' sh "$top" "$scratch/linked/share/wattsink"
present "$scratch/tree-of-parts/gpu/past.xml" "is not followed"
mkdir -p "$scratch/older/share/wattsink/parts" && cp two-cards.xml "$scratch/older/share/wattsink/parts/"
exits 0 "uninstalling a version without a list" sh -c 'cd "$1" && .ci/installed remove "$2"' sh "$top" "$scratch/older/share/wattsink"
absent "$scratch/older/share/wattsink" "removes its folder"

for command in "" $("$wattsink" help | sed -n 's/^  \([a-z][a-z]*\) .*/-\1/p'); do
    page=$usr/share/man/man1/wattsink$command.1
    present "$page" "a page wattsink$command"
    if command -v mandoc >/dev/null 2>&1; then
        said=$(mandoc -T lint -W style "$page" 2>&1 | grep -vE 'outdated mandoc.db|referenced manual not found')
        if [ -z "$said" ]; then pass "lint of wattsink$command"; else fail "lint of wattsink$command" "$said"; fi
    else
        echo "skip lint of wattsink$command: no mandoc"
    fi
    case $command in
    '') ;;
    *) grep -q '^\.Sh DESCRIPTION$' "$page" && ! grep -A1 '^\.Sh DESCRIPTION$' "$page" | tail -n 1 | grep -q '^\.Sh' &&
        pass "wattsink$command is described in docs/wattsink.1" || fail "wattsink$command is described in docs/wattsink.1" ;;
    esac
done
for command in $("$wattsink" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    "$wattsink" help --complete -- "$command" -- | cut -f1 | grep -vx -- --help | sed 's/-/\\-/g' >options
    missing=$(while read -r option; do grep -qF -- "$option" "$usr/share/man/man1/wattsink-$command.1" || echo "$option"; done <options)
    if [ -z "$missing" ]; then pass "the page of $command has its options"; else fail "the page of $command has its options" "$missing"; fi
done

page=$usr/share/man/man1/wattsink.1
"$wattsink" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' >commands
missing=$(while read -r command; do grep -q "^\.Xr wattsink-$command 1" "$page" || echo "$command"; done <commands)
if [ -z "$missing" ]; then pass "wattsink(1) refers to the page of each command"; else fail "wattsink(1) refers to the page of each command" "$missing"; fi
for name in $(grep -hoE 'getenv\("(WATTSINK_[A-Z]*|XDG_[A-Z_]*)"\)' -r "$top/cli" "$top/twin" "$top/sim" "$top/words" | sed 's/.*("//; s/").*//' | sort -u); do
    says "$page" "^\.It Ev $name( |\$)" "and names $name"
done
for name in $(for c in $(cat commands); do "$wattsink" help "$c"; done | grep -o 'docs/[a-z/-]*\.md' | sort -u) docs/theory/gpu.md; do
    present "$usr/share/doc/wattsink/$name" "installed, as help names it: $name"
done
for path in $(sed -n '/^\.Sh FILES/,/^\.Sh EXIT/s/^\.It Pa //p' "$page"); do
    if [ -e "$scratch/stage$path" ]; then pass "it names $path rightly"; else fail "it names $path rightly"; fi
done
staged PREFIX="$prefix" DOCDIR=/usr/share/doc/libwattsink-dev GUIDEDIR=/usr/share/doc/wattsink DESTDIR="$scratch/debian" install >out 2>err
missing=$(for path in $(sed -n '/^\.Sh FILES/,/^\.Sh EXIT/s/^\.It Pa //p' "$scratch/debian$prefix/share/man/man1/wattsink.1"); do [ -e "$scratch/debian$path" ] || echo "$path"; done)
if [ -z "$missing" ]; then pass "the manual page names the folders of Debian's packages"; else fail "the manual page names the folders of Debian's packages" "$missing"; fi
status_of() { sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$usr/share/man/man1/wattsink-$1.1" | sed '1d;$d' | tr '\n' ' ' | sed 's/\\-/-/g'; }
case $(status_of twin) in
"With a COMMAND the twin runs it as a client, with the stand-in for NVIDIA's library, and ends with it and its exit code. .Xr wattsink 1 lists the other values. ") pass "the exit status of twin is a whole sentence" ;;
*) fail "the exit status of twin is a whole sentence" "$(status_of twin)" ;;
esac
case $(status_of smi) in
*"those of nvidia-smi"*wattsink*) fail "the exit status of smi is nvidia-smi's alone" "$(status_of smi)" ;;
*"those of nvidia-smi"*) pass "the exit status of smi is nvidia-smi's alone" ;;
*) fail "the exit status of smi is nvidia-smi's alone" "$(status_of smi)" ;;
esac

# A library that pkg-config finds elsewhere than in the compiler's folders.
mkdir -p own/lib && echo 'int wattsink_test_stand_in;' | $cc -shared -fPIC -Wl,-soname,libmicrohttpd.so.99 -x c - -o own/lib/libmicrohttpd.so
printf '%s\n' "libdir=$scratch/own/lib" 'Name: x' 'Description: x' 'Version: 1' 'Libs: -L${libdir} -lmicrohttpd' 'Cflags:' >own/lib/libmicrohttpd.pc
said=$(PKG_CONFIG_PATH=$scratch/own/lib make -s -C "$top" BUILD="$build" CC="$cc" --eval='said: ; @echo "$(MICROHTTPDSO) $(CLILIBS)"' said 2>err)
case $said in
"libmicrohttpd.so.99 "*"-Wl,-rpath,$scratch/own/lib"*) pass "a library in a folder that pkg-config names is found" ;;
*) fail "a library in a folder that pkg-config names is found" "$said $(head -3 err)" ;;
esac

flags() { PKG_CONFIG_SYSROOT_DIR=$scratch/stage PKG_CONFIG_PATH=$usr/lib/pkgconfig pkg-config "$@" wattsink; }
examples=$usr/share/doc/wattsink/examples
rig=$top/scenarios/single-3090/rig.xml
strict="-std=c17 -Wall -Wextra -Wpedantic -Werror"
export LD_LIBRARY_PATH="$usr/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exits 0 "pkg-config" flags --cflags --libs
# A shell reads the flags of pkg-config, so a blank must be quoted.
mkdir blank && sed 's|^prefix=.*|prefix=/opt/my own|; s|^libdir=.*|libdir=/opt/my own/lib|' "$usr/lib/pkgconfig/wattsink.pc" >blank/wattsink.pc
PKG_CONFIG_PATH=blank pkg-config --cflags --libs wattsink >out
says out '-I/opt/my\\ own/include .*-L/opt/my\\ own/lib' "a prefix with a blank is quoted"
for example in embed controller log; do
    # shellcheck disable=SC2046,SC2086  # unquoted: lists of words
    exits 0 "$example.c is built" $cc $strict "$examples/$example.c" $(flags --cflags --libs) -o $example
done
# shellcheck disable=SC2046,SC2086
exits 0 "and with the static library" $cc $strict "$examples/embed.c" $(flags --cflags) "$usr/lib/libwattsink.a" \
    $(pkg-config --libs libxml-2.0 gsl json-c) -lm -pthread -o embed.static
exits 0 "embed runs" ./embed "$rig" "$top/parts"
cp out embed.out
"$wattsink" run "$rig" --for 1h -q -o hour
last() { awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} END {printf "%.1f\n", $c}' hour/series.csv; }
says embed.out "^ +60 +[0-9.]+ +[0-9.]+ +$(last wall_w.mean)$" "its watts at the wall are the program's"
exits 0 "the static one says the same" sh -c "./embed.static '$rig' '$top/parts' | cmp - embed.out"
exits 3 "embed names what is wrong with a rig" ./embed "$top/tests/cli/nowhere.xml" "$top/parts"
says err 'nowhere\.xml: cannot open' "with its place"
exits 0 "the controller runs" ./controller "$rig" 350 "$top/parts"
says out '60 min  wall +(349\.[5-9]|350\.[0-4]) W' "and holds the wall at its budget"
exits 2 "a folder for its budget" ./controller "$rig" "$top/parts"
says err '^usage: ' "is told its usage"
exits 3 "it names what is wrong with a rig" ./controller "$top/tests/cli/nowhere.xml" 350 "$top/parts"
says err 'cannot open' "as embed does"
exits 0 "with a budget that no limit reaches" ./controller "$rig" 5 "$top/parts"
says out '60 min  wall +[0-9.]+ W  limit of gpu0 +10[0-9]\.[0-9] W' "it ends near the card's lowest limit, 100 W"
printf 'timestamp, index, power.draw [W]\n2026/08/12 21:53:45, 0, 39.5 W\n2026/08/12 21:53:47, 0, 40.5 W\n' >smi.csv
exits 0 "log reads a log" ./log smi.csv
says out '^0 +2 samples in +2\.0 s, mean +40 W +board power$' "and shows its mean"
exits 3 "what is no log" ./log "$rig"
says err 'rig\.xml:1:1: log\.unknown$' "is told with its place"
printf '#include <wattsink.h>\nint main() { return wsk_version() == nullptr; }\n' >header.cc
if command -v g++ >/dev/null 2>&1; then
    # shellcheck disable=SC2046
    exits 0 "the header in C++" g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $(flags --cflags) header.cc $(flags --libs) -o header
    exits 0 "and linked" ./header
else
    echo "skip the header in C++: no g++"
fi
if command -v python3 >/dev/null 2>&1; then
    exits 0 "Python" python3 "$examples/run.py" "$rig" "$top/parts"
    says out "60 min .* wall $(last wall_w.mean) W" "with the program's watts"
    exits 1 "Python says what is wrong" python3 "$examples/run.py" nowhere.xml
    says err 'nowhere\.xml: cannot open' "with its place"
else
    echo "skip Python: no python3"
fi

# A copy of the tree with its objects, so that only the new kind is compiled.
mkdir -p tree/build && (cd "$top" && cp -Rp Makefile .ci include sim models cli draw words po web twin "$scratch/tree") &&
    cp -Rp "$build/obj" "$build/po" "$build/share-dir" "$build/registry.c" tree/build/
cp "$examples/kind/governor/proportional.c" tree/models/governor/
exits 0 "a kind is a file" make -s -C tree BUILD=build CC="$cc" PREFIX="$prefix" build/wattsink
own=tree/build/wattsink
export WATTSINK_PARTS="$top/parts"
exits 0 "its parameters" "$own" kinds governor
says out 'kind="proportional"' "are listed"
"$own" schema | grep -q proportional && pass "and in the schema" || fail "and in the schema"
sed 's|<cooler|<governor kind="proportional" from="40 degC" slope="40 MHz/K"/><cooler|' two-cards.xml >own.xml
exits 3 "the plain program does not know it" "$wattsink" check own.xml
says err 'proportional' "and says so"
exits 0 "it runs" "$own" run own.xml --for 3h -o hour -q --force
# Clock = 1950 MHz - 40 MHz/K (die - 40 degC), rounded to steps of 15 MHz, read one second late.
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
    END {
        cap = 1950 - 40 * ($at["gpu0.die_c.mean"] - 40); clock = $at["gpu0.clock_mhz.mean"]
        printf "die %s clock %s cap %s\n", $at["gpu0.die_c.mean"], clock, cap
        exit !(cap < 1900 && clock <= cap + 8 && clock > cap - 23)
    }' hour/series.csv >law && pass "the clock follows the law of the added governor" || fail "the clock follows the law of the added governor" "$(cat law)"
# The card's built-in governors stay active beside the added one; here the thermal target acts.
sed 's/conductance="18 W/conductance="6 W/' two-cards.xml >warm.xml
sed 's|<cooler|<governor kind="proportional" from="120 degC" slope="1 MHz/K"/><cooler|' warm.xml >added.xml
throttled() { "$1" run "$2" --for 1h -o hot --force --json | grep -o '"throttle_s": {[^}]*}'; }
throttled "$wattsink" warm.xml >plain.txt
throttled "$own" added.xml >own.txt
if cmp -s plain.txt own.txt && grep -q '"thermal": [1-9]' own.txt; then pass "the built-in governors act beside the added one"
else fail "the built-in governors act beside the added one" "$(cat plain.txt own.txt)"; fi
unset WATTSINK_PARTS

exits 0 "make uninstall" staged uninstall
left=$(cd "$share" && find . ! -type d)
if [ "$left" = ./parts/gpu/mine.xml ]; then pass "a part that somebody put there is left"; else fail "a part that somebody put there is left" "$left"; fi
says out '^parts/gpu/mine\.xml$' "and named"
rm -r "$share"
left=$(find "$scratch/stage" ! -type d; find "$scratch/stage" -name '*wattsink*')
if [ -z "$left" ]; then pass "nothing is left"; else fail "nothing is left" "$left"; fi
exit $status
