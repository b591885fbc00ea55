/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/base.h"

#define DAY_S 86400
#define FIRST_S (INT64_C(-719528) * DAY_S)    /* 0000-01-01T00:00:00 */
#define LAST_S (INT64_C(2932897) * DAY_S - 1) /* 9999-12-31T23:59:59 */

/* Days since 1970-01-01 of a date in the proleptic Gregorian calendar. Years are counted from March, so that the leap
 * day is the last of its year, and shifted by 400-year cycles of 146097 days. */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t cycle = (y >= 0 ? y : y - 399) / 400, of_cycle = y - cycle * 400;
    int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}

static int month_length(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return lengths[month - 1] + (month == 2 && leap);
}

/* Reads exactly `width` digits and moves *s behind them. */
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
    if (*s || year < 1 || month < 1 || month > 12 || day < 1 || day > month_length(year, month) || hour > 23 ||
        minute > 59 || second > 59)
        return false;
    *civil_s = days_of(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second;
    return true;
}

/* Times outside the years 0 to 9999 are written as the nearest one inside. */
void wsk_format_datetime(char out[24], int64_t civil_s)
{
    int64_t s = civil_s < FIRST_S ? FIRST_S : civil_s > LAST_S ? LAST_S : civil_s;
    /* Seconds since -400-03-01, so that the divisions below see no negative number. */
    int64_t shifted = s - FIRST_S - 60 * (int64_t)DAY_S + 146097 * (int64_t)DAY_S;
    int64_t days = shifted / DAY_S;
    int of_day = (int)(shifted % DAY_S);
    int64_t cycle = days / 146097, of_cycle = days % 146097;
    int64_t y = (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / 146096) / 365;
    int64_t of_year = of_cycle - (365 * y + y / 4 - y / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    int day = (int)(of_year - (153 * from_march + 2) / 5 + 1);
    int month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    int year = (int)(y + (cycle - 1) * 400 + (month <= 2));
    snprintf(out, 24, "%04u-%02u-%02uT%02u:%02u:%02u", (unsigned)year % 10000u, (unsigned)month % 100u,
             (unsigned)day % 100u, (unsigned)of_day / 3600 % 100u, (unsigned)of_day / 60 % 60, (unsigned)of_day % 60);
}

double wsk_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now))
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool wsk_zone_known(const char *name)
{
    static const char folder[] = "/usr/share/zoneinfo/";
    char path[160];
    size_t len = strlen(name), head = sizeof folder - 1;
    if (!len || len > 96 || name[0] == '/' || name[0] == '.' || strstr(name, ".."))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/", name[i]))
            return false;
    memcpy(path, folder, head);
    path[head] = 0;
    if (access(path, F_OK) != 0)
        return true;
    memcpy(path + head, name, len + 1);
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
