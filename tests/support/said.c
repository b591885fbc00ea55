/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/said.h"

#include <string.h>

#include "tests/support/bench.h"

void wsk_test_said(const char *what, const char *text, const char *const says[WSK_TEST_SAYS],
                   const char *const omits[WSK_TEST_OMITS])
{
    for (int k = 0; k < WSK_TEST_SAYS && says[k]; k++)
        if (!strstr(text, says[k]))
            fail_msg("%s: no \"%s\" in:\n%s", what, says[k], text);
    for (int k = 0; k < WSK_TEST_OMITS && omits[k]; k++)
        if (strstr(text, omits[k]))
            fail_msg("%s: \"%s\" in:\n%s", what, omits[k], text);
}

void wsk_test_check_says(const wsk_test_checked *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        char *text = wsk_test_check(rig);
        wsk_test_said(rows[i].what, text, rows[i].says, rows[i].omits);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}
