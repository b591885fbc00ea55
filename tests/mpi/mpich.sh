#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps on the ranks of MPICH.
MPI=mpich
. "$(dirname "$0")/ranks.inc"
