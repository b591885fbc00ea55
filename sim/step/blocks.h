/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block is a group of solids that conduct heat to each other, such as the parts of a card. A port is a link of a
 * solid to air or coolant. EACH_BLOCK(call) does call(solids, ports) for each block of `net`, a variable in its scope,
 * with the numbers of solids and ports of the block. Common pairs of numbers are passed as constants, so that the
 * compiler unrolls their loops. */
#ifndef WSK_BLOCKS_H
#define WSK_BLOCKS_H

#define ALL_ALIKE(call, n, ports) \
    for (int k = 0; k < like->blocks; k++) { \
        call(n, ports) \
    }
#define EACH_BLOCK(call) \
    for (const wsk_alike *like = net->alike, *last = like + net->n_alike; like < last; like++) { \
        if (like->count == 3 && like->ports == 3) \
            ALL_ALIKE(call, 3, 3) \
        else if (like->count == 1 && like->ports == 1) \
            ALL_ALIKE(call, 1, 1) \
        else if (like->count == 1 && like->ports == 2) \
            ALL_ALIKE(call, 1, 2) \
        else \
            ALL_ALIKE(call, like->count, like->ports) \
    }

#endif
