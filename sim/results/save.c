/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saves and restores a run as bytes: a header that identifies rig and options of the run, then its block of state. */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/books/books.h"
#include "sim/results/results.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "sim/control/control.h"

typedef struct {
    char magic[8];
    uint64_t digest, block_len, tick_ns, end_ns, seed, stepper, leap, sum;
} save_header;

static save_header header_of(const wsk_run *run)
{
    save_header h = {.magic = "WSKRUN6",
                     .digest = run->net->digest,
                     .block_len = run->block_len,
                     .tick_ns = (uint64_t)run->tick_ns,
                     .end_ns = (uint64_t)run->end_ns,
                     .seed = run->seed,
                     .stepper = (uint64_t)run->stepper,
                     .leap = run->leap};
    return h;
}

wsk_status wsk_run_save(const wsk_run *run, char **bytes, size_t *len)
{
    wsk_buf out = {0};
    save_header h = header_of(run);
    h.sum =
        /* a fast hash, because a checkpoint has megabytes and is written several times a second */
        wsk_hash_words(run->block, run->block_len);
    wsk_buf_put(&out, (const char *)&h, sizeof h);
    wsk_buf_put(&out, run->block, run->block_len);
    if (out.failed) {
        wsk_buf_free(&out);
        return WSK_ENOMEM;
    }
    *bytes = out.data;
    *len = out.len;
    return WSK_OK;
}

wsk_status wsk_run_restore(wsk_run *run, const char *bytes, size_t len)
{
    save_header have, want = header_of(run);
    if (len != sizeof have + run->block_len)
        return WSK_EINPUT;
    memcpy(&have, bytes, sizeof have);
    want.sum = wsk_hash_words(bytes + sizeof have, run->block_len);
    if (memcmp(&have, &want, sizeof have) != 0)
        return WSK_EINPUT;
    memcpy(run->block, bytes + sizeof have, run->block_len);
    if (!wsk_state_sound(run))
        return WSK_EINPUT;
    memcpy(run->mean_t, run->t, (size_t)run->net->n_node * sizeof(double));
    run->failure = NULL;
    run->error = "";
    wsk_buf_free(&run->events);
    wsk_ask_all(run);
    for (int i = 0; i < run->net->n_mover; i++)
        run->mover_rpm[i] = NAN;
    wsk_mover_watts(run);
    /* The flows of the old state are invalid. If a stretch of time with constant flows is not in the accounts yet,
     * wsk_config_for computes its flows again. */
    run->flows = NULL;
    wsk_forget_configs(run);
    if (run->books->stretch_s > 0 && !wsk_config_for(run, (double)run->tick_ns / 1e9))
        return WSK_EINPUT;
    return WSK_OK;
}
