/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads times in the forms that logs have, and corrects them where the log's clock jumps: at midnight, and when
 * daylight saving time begins or ends. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/base/number.h"
#include "sim/log/log.h"

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static int digits(const char **s, int most)
{
    int value = 0, n = 0;
    for (; n < most && digit(**s); n++, ++*s)
        value = 10 * value + (**s - '0');
    return n ? value : -1;
}

/* Reads "AM" or "PM" behind a clock, and turns the hour into one of 24. False: the hour is not 1 to 12. */
static bool read_half(const char **s, int *hour)
{
    const char *c = *s;
    while (*c == ' ')
        c++;
    const int half = tolower((unsigned char)*c);
    if ((half != 'a' && half != 'p') || tolower((unsigned char)c[1]) != 'm' || isalnum((unsigned char)c[2]))
        return true;
    if (*hour < 1 || *hour > 12)
        return false;
    *hour = *hour % 12 + (half == 'p' ? 12 : 0);
    *s = c + 2;
    return true;
}

static bool read_clock(const char **s, double *second)
{
    const char *c = *s;
    double rest = 0;
    int hour = digits(&c, 2);
    if (hour < 0 || hour > 23 || *c++ != ':')
        return false;
    const int minute = digits(&c, 2);
    if (minute < 0 || minute > 59)
        return false;
    if (*c == ':') {
        c++;
        if (!digit(*c))
            return false;
        double place = 0.1;
        rest = digits(&c, 2);
        if ((*c == '.' || *c == ',' || *c == ':') && digit(c[1]))
            for (c++; digit(*c); c++, place *= 0.1)
                rest += place * (*c - '0');
        if (!(rest < 61))
            return false;
    }
    if (!read_half(&c, &hour))
        return false;
    *second = 3600.0 * hour + 60.0 * minute + rest;
    *s = c;
    return true;
}

static bool read_date(const char **s, bool day_first, double *day_s)
{
    const char *c = *s;
    int year = 0, month, day;
    size_t n = 0;
    while (digit(c[n]))
        n++;
    if (n == 8) {
        year = digits(&c, 4);
        month = digits(&c, 2);
        day = digits(&c, 2);
    } else {
        const bool first = n == 4;
        const char mark = c[n];
        if ((n != 4 && n != 2 && n != 1) || (mark != '/' && mark != '-' && mark != '.'))
            return false;
        int a = digits(&c, 4);
        if (*c++ != mark)
            return false;
        month = digits(&c, 2);
        if (*c++ != mark)
            return false;
        int b = digits(&c, 4);
        year = first ? a : b;
        day = first ? b : a;
        if (!first && mark == '/' && !day_first) { /* the month comes first, as in US dates */
            const int swap = month;
            month = day;
            day = swap;
        }
    }
    if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > wsk_month_days(year, month))
        return false;
    *day_s = (double)(wsk_days_of(year, month, day) * WSK_DAY_S);
    *s = c;
    return true;
}

static bool read_long_date(const char *s, double *t)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *c = s;
    double clock;
    while (isalpha((unsigned char)*c))
        c++;
    while (*c == ' ')
        c++;
    int month = 0;
    for (int m = 0; m < 12; m++)
        if (strncmp(c, months + 3 * (size_t)m, 3) == 0)
            month = m + 1;
    if (!month)
        return false;
    for (c += 3; *c == ' ';)
        c++;
    const int day = digits(&c, 2);
    while (*c == ' ')
        c++;
    if (!read_clock(&c, &clock))
        return false;
    while (*c == ' ')
        c++;
    const int year = digits(&c, 4);
    if (year < 1970 || day < 1 || day > wsk_month_days(year, month) || *c)
        return false;
    *t = (double)(wsk_days_of(year, month, day) * WSK_DAY_S) + clock;
    return true;
}

/* Reads a time zone, such as "Z", "+02:00", "-0500" or " UTC", and turns *t into UTC. *east_s: by how much the zone's
 * clock is ahead of UTC, s. False: something else follows. */
static bool read_zone(const char *c, wsk_log_clock *kind, double *t, double *east_s)
{
    while (*c == ' ')
        c++;
    if (!*c)
        return true;
    if (strcmp(c, "Z") == 0 || strcmp(c, "UTC") == 0 || strcmp(c, "GMT") == 0) {
        *kind = WSK_LOG_UTC;
        return true;
    }
    if (*c != '+' && *c != '-')
        return false;
    const double sign = *c++ == '-' ? -1 : 1;
    const int hour = digits(&c, 2);
    c += *c == ':';
    const int minute = digits(&c, 2);
    if (hour < 0 || hour > 15 || *c)
        return false;
    *kind = WSK_LOG_UTC;
    *east_s = sign * (3600.0 * hour + 60.0 * (minute < 0 ? 0 : minute));
    *t -= *east_s;
    return true;
}

/* Reads a number: seconds since the start, or by its size a time since 1970 in s, ms, us or ns. */
static bool read_number(const char *cell, wsk_log_clock *kind, double *t)
{
    const char *end;
    double x = wsk_number_at(cell, &end);
    if (end == cell || !isfinite(x))
        return false;
    while (*end == ' ')
        end++;
    if (strcmp(end, "ms") == 0)
        x *= 1e-3;
    else if (*end && strcmp(end, "s") != 0)
        return false;
    *kind = fabs(x) < 3e8 ? WSK_LOG_SINCE : WSK_LOG_UTC;
    if (*kind == WSK_LOG_UTC)
        x *= x > 1e17 ? 1e-9 : x > 1e14 ? 1e-6 : x > 1e11 ? 1e-3 : 1;
    *t = x;
    return fabs(x) < 1e12;
}

/* As wsk_log_time_of. *east_s: by how much the clock of the cell is ahead of UTC, s; 0: not stated. */
static bool read_time(const char *cell, bool day_first, wsk_log_clock *kind, double *t, double *east_s)
{
    const char *c = cell;
    double day, clock = 0;
    *east_s = 0;
    if (read_date(&c, day_first, &day)) {
        *kind = WSK_LOG_CIVIL;
        while (*c == ' ' || *c == 'T' || *c == ',')
            c++;
        if (*c && !read_clock(&c, &clock))
            return false;
        *t = day + clock;
        return read_zone(c, kind, t, east_s);
    }
    if (read_clock(&c, &clock) && !*c) {
        *kind = WSK_LOG_OF_DAY;
        *t = clock;
        return true;
    }
    *kind = WSK_LOG_CIVIL;
    return read_long_date(cell, t) || read_number(cell, kind, t);
}

bool wsk_log_time_of(const char *cell, bool day_first, wsk_log_clock *kind, double *t)
{
    double east_s;
    return read_time(cell, day_first, kind, t, &east_s);
}

/* True if clocks may go forward by an hour right after this local time: at most rows_s before a full hour, 0 h to 3 h,
 * of a Sunday in March, April, September, October or November. */
static bool summer_begins(double civil_s, double rows_s)
{
    const double left_s = 3600 - fmod(civil_s, 3600);
    const wsk_date at = wsk_date_of((int64_t)round(civil_s + left_s));
    return at.weekday == 6 && (at.month == 3 || at.month == 4 || (at.month >= 9 && at.month <= 11)) &&
           at.second <= 3 * 3600 && left_s <= rows_s;
}

/* Follows clocks that are set by an hour: t is the time as read. A step from the row before that is about an hour more
 * or less than the usual distance of rows is taken as a change of the clock; a step forward only if the clock was set
 * back before, or if summer time may begin. A step back to the first time of the log is not counted: there the rows of
 * another card, or a second copy of the rows, begin. */
static void follow_hour(wsk_log_reader *r, wsk_log_clock kind, double t)
{
    const double hour_s = 3600, rows_s = 3 * r->usual_s + 1, step = t - r->read_s;
    if ((kind != WSK_LOG_CIVIL && kind != WSK_LOG_OF_DAY) || !(r->usual_s > 0) || r->usual_s > 600)
        return;
    if (r->hour_s <= 0 && step > -hour_s - 1 && step <= -hour_s + rows_s && fabs(t - r->first_s) > rows_s) {
        r->hour_s += hour_s;
        wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_HOUR_BACK));
    } else if (step > hour_s - 1 && step <= hour_s + rows_s &&
               (r->hour_s > 0 || (r->hour_s == 0 && kind == WSK_LOG_CIVIL && summer_begins(r->read_s, rows_s)))) {
        r->hour_s -= hour_s;
        wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_HOUR_FORWARD));
    }
}

/* Reports a time that goes back. The text of the span is made only if the message will be shown, because a log may go
 * back at each of its rows. */
static void tell_back(wsk_log_reader *r, double by_s)
{
    const wsk_said *span = r->told < WSK_LOG_TOLD ? wsk_say_span(r->log->arena, by_s) : NULL;
    wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_BACK, span));
}

/* Reads the first two numbers of a date such as 12/07/2026 whose first slash is at `slash`. */
static bool read_slashed(const char *begin, const char *slash, const char *end, int *a, int *b)
{
    const char *from = slash, *c = slash + 1;
    int n = 0;
    for (; from > begin && digit(from[-1]); from--) {
    }
    for (*a = 0; from < slash; from++)
        *a = *a < 100 ? 10 * *a + (*from - '0') : *a;
    for (*b = 0; c < end && digit(*c) && *b < 100; c++)
        *b = 10 * *b + (*c - '0');
    if (c == end || *c++ != '/')
        return false;
    for (; c < end && digit(*c); c++)
        n++;
    return n == 4 && *a >= 1 && *a <= 31 && *b >= 1 && *b <= 31;
}

/* True if dates such as 12/07/2026 from this line on have the day first. They do if no second number is above 12 and
 * either some first number is above 12, or first numbers change and second ones do not, as from day to day. */
static bool find_day_first(wsk_log_reader *r)
{
    const size_t most = (size_t)64 << 20; /* most bytes that are searched: a log of many days */
    const size_t len = wsk_log_reach(r, r->start + most) - r->start;
    const char *begin = r->text + r->start, *end = begin + (len < most ? len : most);
    int a, b, first_a = 0, first_b = 0;
    bool beyond = false, a_varies = false, b_varies = false;
    for (const char *c = begin; (c = memchr(c, '/', (size_t)(end - c))) != NULL; c++) {
        if (!read_slashed(begin, c, end, &a, &b))
            continue;
        if (b > 12)
            return false;
        first_a = first_a ? first_a : a;
        first_b = first_b ? first_b : b;
        beyond = beyond || a > 12;
        a_varies = a_varies || a != first_a;
        b_varies = b_varies || b != first_b;
    }
    return beyond || (a_varies && !b_varies);
}

/* Called with each time of the log. At the first date such as 12/07/2026, finds whether day or month comes first in
 * such dates. */
static void look_for_order(wsk_log_reader *r, const char *cell)
{
    const size_t n = strspn(cell, "0123456789");
    if (r->slashed || n < 1 || n > 2 || cell[n] != '/')
        return;
    r->slashed = true;
    r->day_first = find_day_first(r);
    if (r->day_first)
        wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_DAY_FIRST));
}

bool wsk_log_time(wsk_log_reader *r, const char *cell, double *t_s)
{
    wsk_log_clock kind;
    double t, east_s;
    look_for_order(r, cell);
    if (!read_time(cell, r->day_first, &kind, &t, &east_s) || (r->dated && kind != r->log->clock))
        return false;
    if (!r->dated || r->anew) {
        r->dated = true;
        r->anew = false;
        r->log->clock = kind;
        r->log->east_s = east_s;
        r->last_s = r->read_s = r->first_s = t;
    }
    if (kind == WSK_LOG_OF_DAY) { /* a time of day that falls far back: midnight has passed */
        t += r->day_s;
        if (t < r->read_s - 0.5 * WSK_DAY_S) {
            r->day_s += WSK_DAY_S;
            t += WSK_DAY_S;
        }
    }
    follow_hour(r, kind, t);
    r->read_s = t;
    t += r->hour_s;
    if (t < r->last_s - 1)
        tell_back(r, r->last_s - t);
    if (t > r->last_s)
        r->usual_s = fmax(t - r->last_s, 0.998 * r->usual_s);
    r->last_s = t;
    *t_s = t;
    return true;
}

void wsk_log_mistime(wsk_log_reader *r, size_t at, const char *cell)
{
    if (r->dated)
        wsk_log_leave(r, at, WSK_SAID(WSK_SAY_LOG_TIME, cell));
    else if (r->untimed)
        r->log->left_out++;
    else
        wsk_log_leave(r, at, WSK_SAID(WSK_SAY_LOG_TIME_FORM, cell));
    r->untimed = true;
}
