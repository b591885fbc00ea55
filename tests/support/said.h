/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TEST_SAID_H
#define WSK_TEST_SAID_H
#include <stddef.h>

enum { WSK_TEST_SAYS = 4, WSK_TEST_OMITS = 2 };
/* Fails the test, named `what`, if the text lacks one of `says` or has one of `omits`. Both lists end at NULL. */
void wsk_test_said(const char *what, const char *text, const char *const says[WSK_TEST_SAYS],
                   const char *const omits[WSK_TEST_OMITS]);

/* What `check` says of a rig. */
typedef struct {
    const char *what, *xml;
    const char *says[WSK_TEST_SAYS];
    const char *omits[WSK_TEST_OMITS];
} wsk_test_checked;
void wsk_test_check_says(const wsk_test_checked *rows, size_t count);
#endif
