/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gregorian dates, and time zones from TZif files (RFC 8536). A TZif file has a block of 32-bit data, which is
 * skipped, a block of 64-bit data, and a rule in POSIX notation for times after the last listed change. */
#include "sim/base/calendar.h"

#include <string.h>
#include <unistd.h>

#define FILE_MAX (1 << 20)
#define CHANGES_MAX 20000

int64_t wsk_days_of(int year, int month, int day)
{
    int64_t y = year - (month <= 2); /* year that begins in March, so that the leap day is the last of a year */
    int64_t cycle = (y >= 0 ? y : y - 399) / 400, of_cycle = y - cycle * 400;
    int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}

int wsk_month_days(int year, int month)
{
    return (int)(wsk_days_of(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) -
                 wsk_days_of(year, month, 1));
}

wsk_date wsk_date_of(int64_t civil_s)
{
    int64_t days = civil_s / WSK_DAY_S - (civil_s % WSK_DAY_S < 0), shifted = days + 719468;
    int64_t cycle = (shifted >= 0 ? shifted : shifted - 146096) / 146097, d = shifted - cycle * 146097;
    int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365, of_year = d - (365 * y + y / 4 - y / 100);
    int64_t from_march = (5 * of_year + 2) / 153, weekday = (days + 3) % 7;
    int month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    return (wsk_date){.year = (int)(y + cycle * 400) + (month <= 2),
                      .month = month,
                      .day = (int)(of_year - (153 * from_march + 2) / 5 + 1),
                      .weekday = (int)(weekday < 0 ? weekday + 7 : weekday),
                      .second = (int)(civil_s - days * WSK_DAY_S),
                      .days = days};
}

typedef struct {
    enum { RULE_MONTH, RULE_JULIAN, RULE_DAY } form;
    int month, week, day; /* "Mm.w.d": month, week, weekday (0 Sunday); "Jn" and "n": only day */
    int second;
} rule;
struct wsk_zone {
    size_t count;
    int64_t *at;
    int *offset; /* offset[i]: s ahead of UTC from at[i] on */
    int first;
    bool has_rule;
    bool summer;
    int standard, daylight; /* s ahead of UTC by the rule */
    rule begin, end;
};

static int64_t day_of_rule(const rule *r, int year)
{
    int64_t first = wsk_days_of(year, 1, 1);
    bool leap = wsk_month_days(year, 2) == 29;
    if (r->form == RULE_DAY)
        return first + r->day;
    if (r->form == RULE_JULIAN)
        return first + r->day - 1 + (leap && r->day > 59);
    int64_t month = wsk_days_of(year, r->month, 1);
    int weekday = (int)(((month + 4) % 7 + 7) % 7);
    int day = (r->day - weekday + 7) % 7 + 7 * (r->week - 1), most = wsk_month_days(year, r->month);
    while (day >= most)
        day -= 7;
    return month + day;
}

/* Seconds ahead of UTC at utc_s by the POSIX rule. *until_s: a UTC second before which the offset stays as it is;
 * INT64_MAX: it never changes. */
static int by_rule(const wsk_zone *z, int64_t utc_s, int64_t *until_s)
{
    struct {
        int64_t at;
        int offset;
    } c[6];
    int n = 0, year = wsk_date_of(utc_s + z->standard).year, now;
    if (!z->summer) {
        *until_s = INT64_MAX;
        return z->standard;
    }
    for (int y = year - 1; y <= year + 1; y++) {
        c[n].at = day_of_rule(&z->begin, y) * WSK_DAY_S + z->begin.second - z->standard;
        c[n++].offset = z->daylight;
        c[n].at = day_of_rule(&z->end, y) * WSK_DAY_S + z->end.second - z->daylight;
        c[n++].offset = z->standard;
    }
    /* if two changes fall on the same second, the one to daylight time is last: some zones have daylight time all
     * year */
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && (c[k].at < c[k - 1].at || (c[k].at == c[k - 1].at && c[k].offset == z->standard));
             k--) {
            int64_t at = c[k].at;
            int offset = c[k].offset;
            c[k] = c[k - 1];
            c[k - 1].at = at;
            c[k - 1].offset = offset;
        }
    now = c[0].offset == z->standard ? z->daylight : z->standard;
    *until_s = c[0].at;
    for (int i = 0; i < n && c[i].at <= utc_s; i++) {
        now = c[i].offset;
        *until_s = i + 1 < n ? c[i + 1].at : utc_s + 1;
    }
    return now;
}

int wsk_zone_offset(const wsk_zone *z, int64_t utc_s, int64_t *until_s)
{
    int64_t unasked;
    until_s = until_s ? until_s : &unasked;
    if (z->count && utc_s < z->at[0]) {
        *until_s = z->at[0];
        return z->first;
    }
    if (z->has_rule && (z->count == 0 || utc_s >= z->at[z->count - 1]))
        return by_rule(z, utc_s, until_s);
    size_t low = 0, high = z->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (z->at[middle] <= utc_s)
            low = middle;
        else
            high = middle;
    }
    *until_s = low + 1 < z->count ? z->at[low + 1] : INT64_MAX;
    return z->count ? z->offset[low] : z->first;
}

int64_t wsk_zone_utc(const wsk_zone *z, int64_t civil_s)
{
    int before = wsk_zone_offset(z, civil_s - 2 * WSK_DAY_S, NULL),
        behind = wsk_zone_offset(z, civil_s + 2 * WSK_DAY_S, NULL);
    /* Takes the offsets again, one day instead of two before and after, because the zone may have changed twice
     * within four days. */
    before = wsk_zone_offset(z, civil_s - before - WSK_DAY_S, NULL);
    behind = wsk_zone_offset(z, civil_s - behind + WSK_DAY_S, NULL);
    int64_t early = civil_s - before, late = civil_s - behind;
    if (wsk_zone_offset(z, early, NULL) == before || wsk_zone_offset(z, late, NULL) != behind)
        return early;
    return late;
}

/* ---- the POSIX rule at the end of a TZif file: "PST8PDT,M3.2.0,M11.1.0" ---- */
static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool rule_name(const char **s)
{
    const char *from = *s;
    if (**s == '<') {
        (*s)++;
        while (letter(**s) || (**s >= '0' && **s <= '9') || **s == '+' || **s == '-')
            (*s)++;
        return *(*s)++ == '>' && *s - from >= 3;
    }
    while (letter(**s))
        (*s)++;
    return *s - from >= 3;
}

static bool rule_number(const char **s, int least, int most, int *value)
{
    const char *from = *s;
    *value = 0;
    while (**s >= '0' && **s <= '9' && *s - from < 4)
        *value = *value * 10 + (*(*s)++ - '0');
    return *s > from && *value >= least && *value <= most;
}

/* Reads [+-]hh[:mm[:ss]] as seconds. */
static bool rule_time(const char **s, int hours, int *second)
{
    int sign = 1, part[3] = {0};
    if (**s == '+' || **s == '-')
        sign = *(*s)++ == '-' ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        if (i && **s != ':')
            break;
        *s += i > 0;
        if (!rule_number(s, 0, i ? 59 : hours, &part[i]))
            return false;
    }
    *second = sign * (part[0] * 3600 + part[1] * 60 + part[2]);
    return true;
}

static bool rule_change(const char **s, rule *r)
{
    *r = (rule){.form = RULE_DAY, .second = 7200};
    if (*(*s)++ != ',')
        return false;
    bool good;
    if (**s == 'M') {
        (*s)++;
        r->form = RULE_MONTH;
        good = rule_number(s, 1, 12, &r->month) && *(*s)++ == '.' && rule_number(s, 1, 5, &r->week) &&
               *(*s)++ == '.' && rule_number(s, 0, 6, &r->day);
    } else if (**s == 'J') {
        (*s)++;
        r->form = RULE_JULIAN;
        good = rule_number(s, 1, 365, &r->day);
    } else {
        good = rule_number(s, 0, 365, &r->day);
    }
    if (good && **s == '/') {
        (*s)++;
        good = rule_time(s, 167, &r->second);
    }
    return good;
}

static bool read_rule(wsk_zone *z, const char *s)
{
    int west;
    if (!rule_name(&s) || !rule_time(&s, 24, &west))
        return false;
    z->has_rule = true;
    z->standard = -west;
    if (!*s)
        return true;
    z->summer = true;
    if (!rule_name(&s))
        return false;
    z->daylight = z->standard + 3600;
    if (*s != ',') {
        if (!rule_time(&s, 24, &west))
            return false;
        z->daylight = -west;
    }
    return rule_change(&s, &z->begin) && rule_change(&s, &z->end) && !*s && z->daylight != z->standard;
}

typedef struct {
    const unsigned char *bytes;
    size_t len, at;
} reader;
typedef struct {
    uint32_t isut, isstd, leap, time, type, chars;
} counts;
enum { HEADER = 44 };

static uint32_t word(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t signed_word(const unsigned char *p)
{
    int64_t v = word(p);
    return v >= INT64_C(0x80000000) ? v - INT64_C(0x100000000) : v;
}

static int64_t signed_long(const unsigned char *p)
{
    uint64_t v = (uint64_t)word(p) << 32 | word(p + 4);
    return v <= INT64_MAX ? (int64_t)v : -(int64_t)(UINT64_MAX - v) - 1;
}

static bool read_header(reader *r, counts *c)
{
    const unsigned char *p = r->bytes + r->at;
    if (r->len - r->at < HEADER || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
        return false;
    *c = (counts){word(p + 20), word(p + 24), word(p + 28), word(p + 32), word(p + 36), word(p + 40)};
    r->at += HEADER;
    return c->time <= CHANGES_MAX && c->type <= 256 && c->chars <= 4096 && c->leap <= 1000 && c->isut <= 256 &&
           c->isstd <= 256;
}

static size_t block_size(const counts *c, size_t time)
{
    return c->time * (time + 1) + c->type * (size_t)6 + c->chars + c->leap * (time + 4) + c->isstd + c->isut;
}

static wsk_zone_result read_block(wsk_zone *z, wsk_arena *arena, const reader *r, const counts *c)
{
    const unsigned char *times = r->bytes + r->at, *which = times + c->time * (size_t)8, *types = which + c->time;
    if (c->type == 0 || c->chars == 0 || c->leap || (c->isut && c->isut != c->type) ||
        (c->isstd && c->isstd != c->type))
        return WSK_ZONE_DAMAGED;
    for (uint32_t i = 0; i < c->type; i++) {
        int64_t offset = signed_word(types + 6 * (size_t)i);
        if (offset <= -25 * 3600 || offset >= 26 * 3600 || types[6 * (size_t)i + 4] > 1 ||
            types[6 * (size_t)i + 5] >= c->chars)
            return WSK_ZONE_DAMAGED;
    }
    z->at = wsk_alloc(arena, (c->time + 1) * sizeof *z->at);
    z->offset = wsk_alloc(arena, (c->time + 1) * sizeof *z->offset);
    if (!z->at || !z->offset)
        return WSK_ZONE_NO_MEMORY;
    z->first = (int)signed_word(types);
    for (uint32_t i = 0; i < c->time; i++) {
        int64_t at = signed_long(times + 8 * (size_t)i);
        if (which[i] >= c->type || at < -(INT64_C(1) << 59) || at > INT64_C(1) << 59 || (i && at <= z->at[i - 1]))
            return WSK_ZONE_DAMAGED;
        z->at[i] = at;
        z->offset[i] = (int)signed_word(types + 6 * (size_t)which[i]);
    }
    z->count = c->time;
    return WSK_ZONE_OK;
}

wsk_zone_result wsk_zone_parse(wsk_zone **out, wsk_arena *arena, const unsigned char *bytes, size_t len)
{
    reader r = {bytes, len, 0};
    counts c;
    char text[128];
    *out = NULL;
    if (!read_header(&r, &c) || block_size(&c, 4) > r.len - r.at)
        return WSK_ZONE_DAMAGED;
    r.at += block_size(&c, 4);
    if (!read_header(&r, &c) || block_size(&c, 8) > r.len - r.at)
        return WSK_ZONE_DAMAGED;
    wsk_zone *z = wsk_alloc(arena, sizeof *z);
    if (!z)
        return WSK_ZONE_NO_MEMORY;
    wsk_zone_result result = read_block(z, arena, &r, &c);
    if (result != WSK_ZONE_OK)
        return result;
    r.at += block_size(&c, 8);
    const unsigned char *end =
        r.len - r.at >= 2 && bytes[r.at] == '\n' ? memchr(bytes + r.at + 1, '\n', r.len - r.at - 1) : NULL;
    size_t n = end ? (size_t)(end - bytes) - r.at - 1 : sizeof text;
    if (n >= sizeof text || memchr(bytes + r.at + 1, '\0', n))
        return WSK_ZONE_DAMAGED;
    memcpy(text, bytes + r.at + 1, n);
    text[n] = '\0';
    if (n && !read_rule(z, text))
        return WSK_ZONE_DAMAGED;
    *out = z;
    return WSK_ZONE_OK;
}

bool wsk_zone_is_name(const char *name)
{
    static const char usual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    size_t len = strlen(name);
    return len > 0 && len <= 96 && name[0] != '/' && strspn(name, usual) == len;
}

wsk_zone_result wsk_zone_make(wsk_zone **out, wsk_arena *arena, const char *name, const char *bytes, size_t len)
{
    *out = NULL;
    if (bytes)
        return len <= FILE_MAX ? wsk_zone_parse(out, arena, (const unsigned char *)bytes, len) : WSK_ZONE_DAMAGED;
    if (access(WSK_ZONE_FOLDER, F_OK) == 0)
        return WSK_ZONE_UNKNOWN;
    if (strcmp(name, "UTC") != 0)
        return WSK_ZONE_ABSENT;
    *out = wsk_alloc(arena, sizeof **out);
    return *out ? WSK_ZONE_OK : WSK_ZONE_NO_MEMORY;
}
