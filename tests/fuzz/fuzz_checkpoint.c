/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a checkpoint with changed bytes must be refused, or give a run that continues and has finite results.
 * The input is a digit and lines of edits (fuzz.h). The digit modulo 4 selects the run. If the digit is below 4, the
 * edits count from the state behind the header, and the digest is corrected; otherwise the digest stays wrong. */
#include <stdlib.h>
#include <string.h>

#include "sim/results/save.c"
#include "tests/fuzz/fuzz.h"

static struct saved {
    const char *path;
    wsk_rig *rig;
    wsk_summary *summary;
    char *bytes;
    size_t len;
} all[] = {{.path = "scenarios/single-3090/rig.xml"},
           {.path = "scenarios/time-of-use-night/night.xml"},
           {.path = "scenarios/water-3090/rig.xml"},
           {.path = "tests/cli/two-cards.xml"}};

/* Rows of the series would be most of the bytes, and the run does not compute with them. */
static const wsk_run_options options = {.duration_s = 7200, .no_series = true};

static const struct saved *saved(unsigned i)
{
    struct saved *s = &all[i % (sizeof all / sizeof *all)];
    if (!s->rig) {
        wsk_run *run = wsk_fuzz_run(s->path, &options, 3600, &s->rig);
        if (wsk_run_save(run, &s->bytes, &s->len) != WSK_OK || wsk_run_summary(&s->summary, run, 0) != WSK_OK)
            abort();
        wsk_run_free(run);
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const unsigned digit = data[0] % 16u;
    const struct saved *s = saved(digit % 4);
    const bool mend = digit < 4;
    const size_t head = mend ? sizeof(save_header) : 0, tail = mend ? WSK_SHA256 : 0;
    size_t len = s->len - head - tail;
    char *bytes = malloc(s->len), *edits = wsk_fuzz_text(data + 1, size - 1);
    wsk_run *run = NULL;
    if (!bytes || wsk_run_new(&run, s->rig, &options) != WSK_OK)
        abort();
    memcpy(bytes, s->bytes, s->len);
    wsk_fuzz_edit(bytes + head, &len, edits);
    if (mend) {
        wsk_sha256 sum;
        wsk_sha256_start(&sum);
        wsk_sha256_add(&sum, bytes, head + len);
        wsk_sha256_end(sum, (unsigned char *)bytes + head + len);
    }
    wsk_status status = wsk_run_restore(run, bytes, head + len + tail);
    if (status == WSK_OK) {
        status = wsk_run_advance(run, wsk_run_time(run) + 120);
        if (status == WSK_OK)
            wsk_fuzz_finite(run, s->summary);
        else if (status != WSK_ENUMERIC && status != WSK_EAUDIT)
            abort();
    } else if (status != WSK_EINPUT) {
        abort();
    }
    wsk_run_free(run);
    free(edits);
    free(bytes);
    return 0;
}
