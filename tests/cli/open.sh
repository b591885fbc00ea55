#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests `wattsink open`, which shows a rig in the page of web/ in a browser. `make web-check` tests that page itself; here
# a small page takes its place, beside a copy of the program in the folders of an installation.
. "$(dirname "$0")/helpers.inc"

mkdir -p there/bin there/share/wattsink
cp "$wattsink" there/bin/wattsink
cp -R "$top/parts" there/share/wattsink/
own=$scratch/there/bin/wattsink
unset BROWSER DISPLAY WAYLAND_DISPLAY
cat >odd.xml <<'END'
<rig name="a &lt;/script> b"><chassis part="chassis/full-tower-8-slot"><psu part="psu/tier-gold-1000"/>
<gpu part="gpu/rtx-3090-blower" slot="1"></gpu></chassis></rig>
END

exits 1 "without the page" "$own" open odd.xml
says err "make web" "it names what makes it"
absent odd.html "nothing is written"
printf '<!DOCTYPE html><title>page</title><!--rig--><p>end</p>' >there/share/wattsink/wattsink.html
exits 0 "with the page, without a screen" "$own" open odd.xml
says out '^odd\.html$' "says where the file lies"
says odd.html '<title>page</title><script type="text/plain" id="rig">' "the page is there, with a place for the rig"
# The escape of </ is undone, as a reader of the page does, and the rig must come back byte by byte.
sed -e 's|.*id="rig">||' odd.html | awk 'index($0, "</script>") { sub(/<\/script>.*/, ""); if ($0 != "") print; exit } { print }' |
    sed 's|<\\/|</|g' >back.xml
cmp -s odd.xml back.xml && pass "the rig comes back byte by byte" || fail "the rig comes back byte by byte" "$(diff odd.xml back.xml)"
says odd.html '</script><p>end</p>$' "the rest of the page follows"
exits 0 "again over its own page" "$own" open odd.xml
echo mine >notes.html
exits 1 "not over another file" "$own" open odd.xml -o notes.html
says notes.html '^mine$' "which stays"
ln -s circle.html circle.html
exits 1 "not over a file that cannot be read" "$own" open odd.xml -o circle.html --no-browser
says err '^wattsink: cannot read circle\.html: Too many levels' "it is told why"
if [ -L /proc/self/fd/1 ]; then
    # a page on standard output is not opened in a browser, and no path is printed after it
    ln -s /proc/self/fd/1 printed
    exits 0 "to standard output by its name" env BROWSER=false "$own" open odd.xml -o printed
    cmp -s out odd.html && [ -L printed ] && pass "is the page alone" || fail "is the page alone" "$(tail -n 2 out)"
fi
exits 0 "under another name" "$own" open odd.xml -o there/other.html --no-browser
says out '^there/other\.html$' "which it says"
present there/other.html "is written there"
exits 0 "a rig from standard input" sh -c "'$own' open - -o piped.html --no-browser <odd.xml"
says out '^piped\.html$' "its page is named"
cmp -s piped.html odd.html && pass "and is the page that the file gives" || fail "and is the page that the file gives"
exits 2 "one without a name for its page" sh -c "'$own' open - --no-browser <odd.xml"
says err 'standard input needs -o FILE' "is told"
exits 1 "standard input that cannot be read" sh -c "'$own' open - -o none.html --no-browser <there"
says err 'cannot read standard input: ' "is told"
absent none.html "and makes no page"
exits 3 "no such rig" "$own" open none.xml
exits 2 "no rig" "$own" open
exits 2 "two rigs" "$own" open odd.xml load.xml
printf '#!/bin/sh\necho "$1" >%s/shown\n' "$scratch" >browser && chmod +x browser
exits 0 "with a browser" env BROWSER="$scratch/browser" "$own" open odd.xml
says shown '^odd\.html$' "the browser gets the file"
if [ -s out ]; then fail "and nothing is printed" "$(cat out)"; else pass "and nothing is printed"; fi
exits 0 "with a browser that fails" env BROWSER=false "$own" open odd.xml
says out '^odd\.html$' "says where the file lies then"
# xdg-open stands for the browser of the desktop, which X or Wayland may run.
mkdir desktop && printf '#!/bin/sh\necho "$1" >>%s/desktop/opened\n' "$scratch" >desktop/xdg-open && chmod +x desktop/xdg-open
for screen in DISPLAY=:0 WAYLAND_DISPLAY=wayland-0; do
    rm -f desktop/opened
    exits 0 "with $screen" env "$screen" PATH="$scratch/desktop:$PATH" "$own" open odd.xml
    says desktop/opened '^odd\.html$' "the desktop opens the file: $screen"
    [ ! -s out ] && pass "nothing is printed: $screen" || fail "nothing is printed: $screen" "$(cat out)"
done
rm -f desktop/opened
exits 0 "with a browser that is not there" env BROWSER="$scratch/no-browser" PATH="$scratch/desktop:$PATH" "$own" open odd.xml
says desktop/opened '^odd\.html$' "the desktop opens the file instead"
rm -f desktop/opened
exits 0 "with empty names" env BROWSER= DISPLAY= WAYLAND_DISPLAY= PATH="$scratch/desktop:$PATH" "$own" open odd.xml
says out '^odd\.html$' "it is as without a screen"
absent desktop/opened "and nothing is opened"
printf '#!/bin/sh\nkill -KILL $$\n' >browser
exits 0 "with a browser that is killed" env BROWSER="$scratch/browser" "$own" open odd.xml
says out '^odd\.html$' "the file is named"
mkdir folder.html
exits 1 "a folder in place of the page" "$own" open odd.xml -o folder.html
says err 'folder\.html exists already and is no page with a rig' "is told"
printf '<!DOCTYPE html><title>bare</title>' >there/share/wattsink/wattsink.html
exits 0 "a page without a place for a rig" "$own" open odd.xml -o bare.html
says bare.html '^<!DOCTYPE html><title>bare</title>$' "stays as it is"
rm there/share/wattsink/wattsink.html && mkdir there/share/wattsink/wattsink.html
exits 1 "a folder in place of the built page" "$own" open odd.xml
says err 'cannot open .*wattsink\.html: Is a directory' "is told"
exit $status
