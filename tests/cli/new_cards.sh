#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One card of each kind, and four. WATTSINK_SOAK=1 tries more numbers, and `check` and `run` for all.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/cli/new.inc"
if [ -z "${WATTSINK_SOAK:-}" ]; then
    each_card 1 run
    each_card 4 ""
else
    each_card '1 2 3 4 5 6 7' 'check run'
fi
exit $status
