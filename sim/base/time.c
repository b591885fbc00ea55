/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <time.h>

#include "sim/base/calendar.h"

#define FIRST_S (INT64_C(-719528) * WSK_DAY_S)    /* 0000-01-01T00:00:00 */
#define LAST_S (INT64_C(2932897) * WSK_DAY_S - 1) /* 9999-12-31T23:59:59 */

static bool read_digits(const char **s, int width, int *value)
{
    *value = 0;
    for (int i = 0; i < width; i++, (*s)++) {
        if (**s < '0' || **s > '9')
            return false;
        *value = *value * 10 + (**s - '0');
    }
    return true;
}

static bool read_field(const char **s, char mark, int width, int *value)
{
    if (**s != mark)
        return false;
    (*s)++;
    return read_digits(s, width, value);
}

bool wsk_parse_datetime(const char *s, int64_t *civil_s)
{
    int year, month, day, hour = 0, minute = 0, second = 0;
    if (!read_digits(&s, 4, &year) || !read_field(&s, '-', 2, &month) || !read_field(&s, '-', 2, &day))
        return false;
    if (*s && (!read_field(&s, 'T', 2, &hour) || !read_field(&s, ':', 2, &minute)))
        return false;
    if (*s && !read_field(&s, ':', 2, &second))
        return false;
    if (*s || year < 1 || month < 1 || month > 12 || day < 1 || day > wsk_month_days(year, month) || hour > 23 ||
        minute > 59 || second > 59)
        return false;
    *civil_s = wsk_days_of(year, month, day) * WSK_DAY_S + hour * 3600 + minute * 60 + second;
    return true;
}

/* Times outside the years 0 to 9999 are written as the nearest one inside. */
void wsk_format_datetime(char out[24], int64_t civil_s)
{
    int64_t s = civil_s < FIRST_S ? FIRST_S : civil_s > LAST_S ? LAST_S : civil_s;
    wsk_date d = wsk_date_of(s);
    snprintf(out, 24, "%04u-%02u-%02uT%02u:%02u:%02u", (unsigned)d.year % 10000u, (unsigned)d.month % 100u,
             (unsigned)d.day % 100u, (unsigned)d.second / 3600 % 100u, (unsigned)d.second / 60 % 60,
             (unsigned)d.second % 60);
}

double wsk_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now))
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
