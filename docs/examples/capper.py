#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a server with NVIDIA's cards below the current of its circuit: capper.c in Python, over pynvml.

usage: capper.py AMPS VOLTS OTHER_W EFFICIENCY [SECONDS]
"""
import sys
import time

import pynvml as nvml


def look(budget_w):
    """Reads all cards, then moves every limit by the same power, so that together they use what is left over."""
    cards = [nvml.nvmlDeviceGetHandleByIndex(i) for i in range(nvml.nvmlDeviceGetCount())]
    left_mw = 1e3 * budget_w - sum(nvml.nvmlDeviceGetPowerUsage(card) for card in cards)
    for card in cards:
        limit = nvml.nvmlDeviceGetPowerManagementLimit(card)
        least, most = nvml.nvmlDeviceGetPowerManagementLimitConstraints(card)
        wanted = min(max(int(limit + left_mw / len(cards)), least), most)
        if wanted != limit:
            nvml.nvmlDeviceSetPowerManagementLimit(card, wanted)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    amps, volts, other_w, efficiency = (float(a) for a in sys.argv[1:5])
    nvml.nvmlInit()
    try:
        look(amps * volts * efficiency - other_w)
        while len(sys.argv) > 5:
            time.sleep(float(sys.argv[5]))
            look(amps * volts * efficiency - other_w)
    except nvml.NVMLError as error:
        sys.exit(f"capper: {error}")
    finally:
        nvml.nvmlShutdown()


if __name__ == "__main__":
    main()
