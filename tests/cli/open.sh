#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `make web` builds the real page, and `make web-check` tests it; here a small page stands in for it, beside a copy of
# the program as it is installed.
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
exits 0 "under another name" "$own" open odd.xml -o there/other.html --no-browser
says out '^there/other\.html$' "which it says"
present there/other.html "is written there"
exits 3 "no such rig" "$own" open none.xml
exits 2 "no rig" "$own" open
exits 2 "two rigs" "$own" open odd.xml load.xml
printf '#!/bin/sh\necho "$1" >%s/shown\n' "$scratch" >browser && chmod +x browser
exits 0 "with a browser" env BROWSER="$scratch/browser" "$own" open odd.xml
says shown '^odd\.html$' "the browser gets the file"
if [ -s out ]; then fail "and nothing is printed" "$(cat out)"; else pass "and nothing is printed"; fi
exits 0 "with a browser that fails" env BROWSER=false "$own" open odd.xml
says out '^odd\.html$' "says where the file lies then"
exit $status
