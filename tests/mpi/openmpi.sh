#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
MPI=openmpi
. "$(dirname "$0")/ranks.inc"
