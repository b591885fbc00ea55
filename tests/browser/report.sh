#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make report-check: a report in headless Chromium must be laid out completely, write nothing to the console and request
# nothing.
. "$(dirname "$0")/../cli/helpers.inc" 2>/dev/null
browser=
for name in chromium chromium-browser google-chrome; do
    if command -v $name >/dev/null; then browser=$name && break; fi
done
[ -n "$browser" ] || { echo "skip report in a browser: no chromium"; exit 77; }

look() {
    file=$1 name=$2
    shift 2
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$scratch/profile" \
        --enable-logging=stderr --log-net-log="$scratch/net.json" "$@" "file://$scratch/$file" >dom 2>log ||
        fail "$name: the browser ends well" "$(tail -3 log)"
    grep 'CONSOLE' log >said
    grep 'SiteForCookies: {site=file' net.json | grep -oE '"url":"[^"]*"' | grep -vE '"url":"(file|data):' >asked
}

"$wattsink" run "$top/scenarios/h100-4u/rig.xml" --for 7d -o week -q
exits 0 "an eight-card week" sh -c '"$1" report week && times >spent' sh "$wattsink"
# The second line of `times` is the processor time of child processes, user and system.
ms=$(sed -n '2s/[ms]/ /gp' spent | awk '{ printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }') size=$(wc -c <week/report.html)
echo "drawn in $ms ms, $size bytes"
[ "$ms" -lt 2000 ] && pass "drawn within two seconds" || fail "drawn within two seconds" "$ms ms"
[ "$size" -lt 3000000 ] && pass "below three megabytes" || fail "below three megabytes" "$size bytes"
"$wattsink" run "$top/scenarios/water-3090/rig.xml" --for 6h -o wet -q && "$wattsink" report wet >/dev/null

for dir in week wet; do
    for width in 1280 390; do
        for scheme in 0 1; do # 0 is dark, 1 is light
            what="$dir, $width pixels, $([ $scheme = 0 ] && echo dark || echo light)"
            look $dir/report.html "$what" --dump-dom --window-size=$width,900 --blink-settings=preferredColorScheme=$scheme
            tail -n 3 dom | grep -q '</html>' && pass "$what: is there whole" || fail "$what: is there whole" "$(tail -c 200 dom)"
            if [ -s said ]; then fail "$what: no word in the console" "$(head -3 said)"; else pass "$what: no word in the console"; fi
            if [ -s asked ]; then fail "$what: no request" "$(head -3 asked)"; else pass "$what: no request"; fi
        done
    done
done

# As the page opens, the sources are folded, so that a printed report has only a few pages.
for dir in week wet; do
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" --print-to-pdf="$scratch/print.pdf" \
        "file://$scratch/$dir/report.html" >log 2>&1
    pages=$(LC_ALL=C grep -ac '/Type /Page$' print.pdf)
    [ "${pages:-0}" -ge 2 ] && [ "$pages" -le 5 ] && pass "$dir: prints on at most five pages" || fail "$dir: prints on at most five pages" "$pages pages"
done

for dir in week wet; do
    sed '/Content-Security-Policy/d; s|</body>|<script>document.documentElement.style.width="390px"; let most = 0;\
        document.querySelectorAll("body *").forEach(e => { if (!e.closest(".scroll *") \&\& !e.closest("details:not([open])"))\
            most = Math.max(most, e.getBoundingClientRect().right) }); let all = [...document.querySelectorAll("table")], t = all[all.length - 1];\
        document.title = "right edge " + Math.ceil(most) + ", balance " + Math.ceil(t.getBoundingClientRect().right)</script></body>|' $dir/report.html >$dir/phone.html
    look $dir/phone.html "$dir, on a phone" --dump-dom --window-size=500,900
    edge=$(sed -n 's/.*<title>right edge \([0-9]*\).*/\1/p' dom)
    [ "${edge:-999}" -le 390 ] && [ "$edge" -gt 300 ] && pass "$dir: fits a phone" || fail "$dir: fits a phone" "right edge ${edge:-unknown}"
    balance=$(sed -n 's/.*, balance \([0-9]*\).*/\1/p' dom)
    [ "${balance:-999}" -le 390 ] && pass "$dir: the energy balance is seen without scrolling" || fail "$dir: the energy balance is seen without scrolling" "right edge ${balance:-unknown}"
done

# Tests this test: a page that loads something, and a page with a script, must be noticed.
sed 's|</main>|<img src="http://example.invalid/x.png" alt="x"><script>1</script><p style="color:red">x</p></main>|' wet/report.html >bad.html
look bad.html "a tampered page" --dump-dom
says said 'img-src' "a picture from elsewhere is refused and seen"
says said 'script-src|default-src' "a script is refused and seen"
says said 'style' "a style of its own is refused and seen"
sed '/Content-Security-Policy/d' bad.html >open.html
look open.html "a page without a policy" --dump-dom
says asked 'example.invalid' "what it asks for is seen"
exit $status
