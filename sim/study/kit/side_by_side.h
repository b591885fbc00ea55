/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_STUDY_SIDE_BY_SIDE_H
#define WSK_STUDY_SIDE_BY_SIDE_H

/* Calls work(ctx, i) for each i from 0 to n - 1, each in a thread of its own, and returns when all have returned. Call
 * 0 is made by the calling thread, and so are those for which the system grants no thread, one after the other. */
void wsk_side_by_side(int n, void (*work)(void *ctx, int i), void *ctx);

#endif
