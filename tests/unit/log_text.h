/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_LOG_TEXT_H
#define WSK_TESTS_LOG_TEXT_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

static inline wsk_log *read_log(const char *text, wsk_status status)
{
    wsk_log *log;
    assert_int_equal(wsk_log_read(&log, "test.log", text, strlen(text)), status);
    return log;
}

static inline double at(const wsk_log *log, size_t card, wsk_log_quantity quantity, size_t i)
{
    const wsk_log_series s = wsk_log_of(log, card, quantity);
    assert_true(i < s.count);
    return s.value[i];
}

static inline const char *said(const wsk_log *log, size_t i, int *line, int *column)
{
    int severity;
    assert_true(i < wsk_log_messages(log));
    return wsk_said_code(wsk_log_message(log, i, &severity, line, column));
}

#endif
