#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Eight cards of each kind. `check` takes long, because it solves a hundred steady points of eight cards.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/cli/new.inc"
each_card 8 "check${WATTSINK_SOAK:+ run}"
exit $status
