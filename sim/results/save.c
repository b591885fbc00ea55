/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saves and restores a run as bytes: a header that identifies rig and options of the run, the closed rows of its
 * series, its block of state, and a digest of all of these. */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"
#include "sim/step/step.h"
#include "sim/step/stride.h"
#include "sim/step/tables.h"
#include "sim/control/control.h"

typedef struct {
    char magic[8];
    uint64_t digest, block_len, tick_ns, end_ns, seed, stepper, leap, series;
} save_header;

static save_header header_of(const wsk_run *run)
{
    save_header h = {.magic = "WSKRUNA",
                     .digest = run->net->digest,
                     .block_len = run->block_len,
                     .tick_ns = (uint64_t)run->tick_ns,
                     .end_ns = (uint64_t)run->end_ns,
                     .seed = run->seed,
                     .stepper = (uint64_t)run->stepper,
                     .leap = (uint64_t)run->leap + (run->stride ? 2U : 0U),
                     .series = run->observer->buckets != NULL};
    return h;
}

static size_t row_bytes(const wsk_run *run)
{
    return wsk_bucket_doubles(run->variables) * sizeof(double);
}

/* Digest of the header and of `n` rows. `rows` are the run's own rows, or saved rows that will replace them. A closed
 * row never changes, so rows that the last call has digested are not digested again. */
static wsk_sha256 sum_rows(const wsk_run *run, const char *rows, int64_t n)
{
    wsk_observer *o = run->observer;
    const char *own = (const char *)o->buckets;
    if (o->summed == 0 || o->summed > n || (rows != own && memcmp(rows, own, (size_t)o->summed * row_bytes(run)))) {
        const save_header h = header_of(run);
        wsk_sha256_start(&o->sum_of_rows);
        wsk_sha256_add(&o->sum_of_rows, &h, sizeof h);
        o->summed = 0;
    }
    for (; o->summed < n; o->summed++)
        wsk_sha256_add(&o->sum_of_rows, rows + (size_t)o->summed * row_bytes(run), row_bytes(run));
    return o->sum_of_rows;
}

static void sum_all(const wsk_run *run, const char *rows, int64_t n, const char *block,
                    unsigned char digest[WSK_SHA256])
{
    wsk_sha256 sum = sum_rows(run, rows, n);
    wsk_sha256_add(&sum, block, run->block_len);
    wsk_sha256_end(sum, digest);
}

wsk_status wsk_run_save(const wsk_run *run, char **bytes, size_t *len)
{
    wsk_buf out = {0};
    const save_header h = header_of(run);
    const char *rows = (const char *)run->observer->buckets;
    const int64_t n = rows ? run->books->n_buckets : 0;
    const char *block = run->kept ? run->kept : run->block;
    unsigned char digest[WSK_SHA256];
    sum_all(run, rows, n, block, digest);
    wsk_buf_put(&out, (const char *)&h, sizeof h);
    wsk_buf_put(&out, rows, (size_t)n * row_bytes(run));
    wsk_buf_put(&out, block, run->block_len);
    wsk_buf_put(&out, (const char *)digest, sizeof digest);
    if (out.failed) {
        wsk_buf_free(&out);
        return WSK_ENOMEM;
    }
    *bytes = out.data;
    *len = out.len;
    return WSK_OK;
}

/* Returns false if the bytes are damaged, or of a run with another rig or other options. */
static bool take_state(wsk_run *run, const char *bytes, size_t len)
{
    const save_header want = header_of(run);
    const size_t others = sizeof want + run->block_len + WSK_SHA256;
    const int64_t most = run->observer->buckets ? run->observer->bucket_rows : 0;
    if (len < others || (len - others) % row_bytes(run) != 0 || memcmp(bytes, &want, sizeof want) != 0)
        return false;
    const int64_t n = (int64_t)((len - others) / row_bytes(run));
    const char *rows = bytes + sizeof want, *block = rows + (len - others);
    unsigned char digest[WSK_SHA256];
    if (n > most)
        return false;
    sum_all(run, rows, n, block, digest);
    if (memcmp(block + run->block_len, digest, sizeof digest) != 0) {
        run->observer->summed = 0; /* start the digest again, since it covers rows that the run did not take */
        return false;
    }
    if (n > 0)
        memcpy(run->observer->buckets, rows, len - others);
    memcpy(run->block, block, run->block_len);
    return wsk_state_sound(run) && (most == 0 || run->books->n_buckets == n);
}

wsk_status wsk_run_restore(wsk_run *run, const char *bytes, size_t len)
{
    wsk_hide_start(run);
    if (!take_state(run, bytes, len))
        return WSK_EINPUT;
    wsk_stride_restore(run);
    run->failure = NULL;
    run->error = "";
    wsk_buf_free(&run->events);
    wsk_state_replaced(run);
    /* If a stretch of time with constant flows is not in the accounts yet, its flows are needed. */
    if (run->books->stretch_s > 0 && !wsk_config_for(run, (double)run->tick_ns / 1e9))
        return WSK_EINPUT;
    return WSK_OK;
}
