/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static void check_round_trip(const wsk_summary *s)
{
    wsk_summary **again = NULL;
    size_t count = 0;
    char *first = NULL, *second = NULL;
    if (wsk_summary_json(s, &first) != WSK_OK)
        return;
    if (wsk_summaries_read(&again, &count, first, strlen(first), NULL) != WSK_OK || count != 1)
        abort();
    if (wsk_summary_json(again[0], &second) == WSK_OK && strcmp(first, second) != 0)
        abort();
    wsk_text_free(first);
    wsk_text_free(second);
    wsk_summaries_free(again, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_summary **all = NULL;
    size_t count = 0;
    wsk_file_mistake mistake;
    wsk_status status = wsk_summaries_read(&all, &count, (const char *)data, size, &mistake);
    if ((status == WSK_EINPUT) != (mistake.why != NULL))
        abort();
    for (size_t i = 0; i < count && i < 4; i++)
        check_round_trip(all[i]);
    wsk_findings_free(mistake.why);
    wsk_summaries_free(all, count);
    return 0;
}
