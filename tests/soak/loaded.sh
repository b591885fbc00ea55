#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# loaded.sh COMMAND...: runs COMMAND while another process keeps one core busy. The exit status is COMMAND's.
set -u
pin=
if command -v taskset >/dev/null; then pin="taskset -c $(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')"; fi
# The loop also ends if this script is killed, because kill -0 then fails.
$pin sh -c 'while kill -0 "$1" 2>/dev/null; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; done' busy $$ &
busy=$!
trap 'kill $busy 2>/dev/null' EXIT
trap 'exit 130' HUP INT TERM
"$@"
