#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
MPI=mpich
. "$(dirname "$0")/ranks.inc"
