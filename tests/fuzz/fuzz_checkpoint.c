/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a checkpoint with changed bytes must be refused, or give a run that goes on and has finite results. The
 * input is a digit and lines of edits (fuzz.h). The digit modulo 4 chooses the run; from 4 on the digest is left wrong,
 * else it is made to fit, and the edits count from the state behind the header. */
#include <stdlib.h>
#include <string.h>

#include "sim/results/save.c" /* the header */
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

static const struct saved *saved(unsigned i)
{
    struct saved *s = &all[i % (sizeof all / sizeof *all)];
    if (!s->rig) {
        wsk_run *run = wsk_fuzz_run(s->path, 7200, 3600, &s->rig);
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
    size_t head = mend ? sizeof(save_header) : 0, len = s->len - head;
    char *bytes = malloc(s->len), *edits = wsk_fuzz_text(data + 1, size - 1);
    wsk_run *run = NULL;
    if (!bytes || wsk_run_new(&run, s->rig, &(wsk_run_options){.duration_s = 7200}) != WSK_OK)
        abort();
    memcpy(bytes, s->bytes, s->len);
    wsk_fuzz_edit(bytes + head, &len, edits);
    if (mend) {
        save_header h;
        memcpy(&h, bytes, sizeof h);
        h.sum = wsk_hash_words(bytes + head, len);
        memcpy(bytes, &h, sizeof h);
    }
    wsk_status status = wsk_run_restore(run, bytes, head + len);
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
