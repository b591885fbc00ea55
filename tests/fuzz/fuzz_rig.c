/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    wsk_status status = wsk_rig_load(
        &rig, &(wsk_rig_options){.path = "-", .text = (const char *)data, .text_len = size, .parts_dir = "parts"});
    if (status == WSK_OK && wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 60}) == WSK_OK)
        (void)wsk_run_advance(run, 60);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return 0;
}
