/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/kit/side_by_side.h"

#include <pthread.h>

enum { MOST = 64 };

typedef struct {
    void (*work)(void *ctx, int i);
    void *ctx;
    int i;
} call;

static void *make(void *of)
{
    const call *c = of;
    c->work(c->ctx, c->i);
    return NULL;
}

void wsk_side_by_side(int n, void (*work)(void *ctx, int i), void *ctx)
{
    pthread_t threads[MOST];
    call calls[MOST];
    int started = 0;
    while (started < n - 1 && started < MOST) {
        calls[started] = (call){work, ctx, started + 1};
        if (pthread_create(&threads[started], NULL, make, &calls[started]) != 0)
            break;
        started++;
    }
    work(ctx, 0);
    for (int i = started + 1; i < n; i++)
        work(ctx, i);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
