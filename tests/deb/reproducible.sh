#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two builds, in different folders and with another umask, time zone and locale, must give the same bytes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
pass() { echo "ok $1"; }
fail() {
    echo "not ok $1"
    [ -z "${2-}" ] || echo "$2" | sed 's/^/    /'
    status=1
}
for tool in dpkg-buildpackage dh fakeroot; do
    command -v $tool >/dev/null 2>&1 || {
        echo "skip Debian packages: no $tool"
        exit 77
    }
done
mkdir -p "$scratch/one" "$scratch/an/other/place"
if sh "$here/build.sh" "$scratch/one" >"$scratch/log" 2>&1; then pass "the packages build"; else fail "the packages build" "$(cat "$scratch/log")"; fi
if (umask 027; export TZ=Asia/Tokyo LC_ALL=C LANG=C USER=somebody; sh "$here/build.sh" "$scratch/an/other/place") >"$scratch/log" 2>&1; then
    pass "and again elsewhere"
else
    fail "and again elsewhere" "$(cat "$scratch/log")"
fi

for deb in "$scratch"/one/*.deb; do
    name=$(basename "$deb")
    if cmp "$deb" "$scratch/an/other/place/$name"; then pass "$name: the same bytes"; else fail "$name: the same bytes"; fi
    dpkg -x "$deb" "$scratch/unpacked"
done
if command -v lintian >/dev/null 2>&1; then
    found=$(cd "$scratch/one" && lintian --fail-on error --allow-root ./*.changes 2>&1) && pass "lintian" || fail "lintian" "$found"
    [ -z "$found" ] || echo "$found"
else
    echo "skip lintian: not installed"
fi
root=$scratch/unpacked/usr
"$root/bin/wattsink" steady "$root/share/wattsink/scenarios/single-3090/rig.xml" >"$scratch/out" 2>&1 &&
    pass "the packaged program runs" || fail "the packaged program runs" "$(cat "$scratch/out")"
if [ -f "$here/../../build/web/wattsink.html" ]; then
    cmp "$here/../../build/web/wattsink.html" "$root/share/wattsink/wattsink.html" && pass "the page is in the package" || fail "the page is in the package"
fi
"$root/bin/wattsink" twin "$root/share/wattsink/scenarios/single-3090/rig.xml" --name "deb-$$" -q -- "$root/bin/wattsink" smi -L >"$scratch/out" 2>&1 &&
    grep -q '^GPU 0: ' "$scratch/out" && pass "its twin finds the stand-in" || fail "its twin finds the stand-in" "$(cat "$scratch/out")"
if grep -aqF "$scratch" "$root/bin/wattsink" "$root"/lib/*/libwattsink.*; then fail "no path of the build"; else pass "no path of the build"; fi
if grep -aqF /usr/share/wattsink "$root/bin/wattsink"; then pass "the catalogue's place"; else fail "the catalogue's place"; fi
exit $status
