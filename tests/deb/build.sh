#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh FOLDER: builds the Debian packages in a copy of this tree, and puts them into FOLDER.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1/source"
cd "$top"
{ git ls-files -z 2>/dev/null || find . -name build -prune -o -name .git -prune -o -type f -print0; } |
    tar --create --null --files-from=- --ignore-failed-read --warning=no-failed-read --file=- | tar --extract --directory="$1/source"
# Only this page is taken from build/, so there is nothing to clean (-nc).
if [ -f build/web/wattsink.html ]; then
    mkdir -p "$1/source/build/web"
    cp build/web/wattsink.html "$1/source/build/web/"
fi
cd "$1/source"
unset MAKEFLAGS MFLAGS MAKELEVEL
DEB_BUILD_OPTIONS="parallel=$(getconf _NPROCESSORS_ONLN)" dpkg-buildpackage -us -uc -b -nc >../build.log 2>&1 || {
    tail -n 12 ../build.log
    exit 1
}
rm -rf "$PWD"
