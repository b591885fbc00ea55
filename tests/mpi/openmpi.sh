#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps on the ranks of Open MPI.
MPI=openmpi
. "$(dirname "$0")/ranks.inc"
