/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tariffs and carbon: parameters of their elements, and the compiled tables. A kind of tariff gives the energy price
 * at a time; blocks, demand and standing charges are common to all kinds. Theory: docs/theory/money.md */
#ifndef WSK_TARIFF_TABLE_H
#define WSK_TARIFF_TABLE_H
#include "sim/net/kind.h"

typedef enum { WSK_CLOCK_LOCAL, WSK_CLOCK_UTC } wsk_clock_of;
typedef struct {
    wsk_params head;
    double price_j;
    double surcharge_j, tax;
    double standing_day, standing_month;
    double minimum_day, minimum_month;
    double billing_day, other_use_j;
    wsk_series file;
    int clock;
} wsk_tariff_params;
typedef struct {
    wsk_params head;
    double kg_j;
    wsk_series file;
    int clock;
} wsk_carbon_params;

typedef struct {
    wsk_params head;
    wsk_curve surplus; /* time of day, s -> solar power left for the rig, W */
    /* month, 1 to 12 -> yield of the panels in that month, J; no points: the same yield on each day */
    wsk_curve months;
    double feed_in_j;
    double latitude; /* degrees, north positive; NAN: all days are equally long */
} wsk_solar_params;
/* How the solar power of a mean day changes over the year (sim/net/sun.h). noon_s: the sun's noon by the curve, s of
 * the day; offset_s: mean of local clock minus UTC, s; stretch: length of each day of the year divided by the mean
 * length; scale: factor on the power of each day. */
typedef struct {
    double noon_s, offset_s, stretch[366], scale[366];
} wsk_sun;
typedef struct {
    wsk_params head;
    /* season: share of the year with heating; used: share of the rig's heat in that time that replaces heating */
    double season, used;
    double price_j, efficiency;
} wsk_heating_params;

typedef struct {
    wsk_params head;
    const char *name, *from, *to; /* first and last day, such as "06-01": month and day */
} wsk_season_params;
typedef struct {
    wsk_params head;
    /* from, to, days and season as written, such as "16:00", "21:00", "weekdays", "summer" */
    const char *name, *from, *to, *days, *season;
    double price_j;
} wsk_period_params;
typedef struct {
    wsk_params head;
    double up_to_j, price_j;
    const char *season;
} wsk_block_params;
typedef struct {
    wsk_params head;
    const char *name, *from, *to, *days, *season;
    double price_w, window_s;
} wsk_demand_params;
typedef struct {
    wsk_params head;
    const char *date;
    double month, nth; /* nth: which of the weekdays `day` in the month, 1 to 5; 5: the last */
    int day, observed;
} wsk_holiday_params;
typedef struct {
    wsk_params head;
    const char *season;
    wsk_curve curve;
} wsk_profile_params;

enum { WSK_HOLIDAY = 7, WSK_DAY_KINDS = 8 }; /* kinds of days: those of a week from Monday, and holidays */
enum {
    WSK_SEASONS = 24,
    WSK_SPANS = 96,
    WSK_BLOCKS = 24,
    WSK_DEMANDS = 12,
    WSK_NAMES = 32,
    WSK_HOLIDAYS = 160,
    WSK_FEEDS = 24
};

typedef struct {
    bool timed;       /* only the hours from from_s to to_s count; false: all day */
    int from_s, to_s; /* local clock, s of the day; to_s < from_s: over midnight */
    unsigned days;    /* one bit for each kind of day */
    uint32_t seasons; /* one bit for each season; bit WSK_SEASONS: days outside all seasons */
    /* 4 if hours are stated, plus 2 if days are, plus 1 if a season is; of the spans that hold at a time, the one
     * with the highest rank counts */
    int rank;
} wsk_span;
/* A point in time. civil_s and utc_s: by the local clock and by UTC, s since 1970. */
typedef struct {
    int day_kind, season, second; /* season -1: the day is in no season */
    int64_t civil_s, utc_s;
    double run_s;
} wsk_local;
typedef struct {
    double price;
    int period;
    int64_t until_s; /* seconds from now, at least 1, for which price and period certainly hold */
} wsk_rate;

typedef struct wsk_billing wsk_billing;
typedef struct {
    bool dated;
    bool all_periods; /* energy is priced only by periods, which must cover all hours */
    bool all_blocks;  /* energy is priced only by blocks, which must cover any amount */
    void (*at)(const wsk_billing *billing, const wsk_local *now, wsk_rate *out);
} wsk_tariff_ops;
typedef struct {
    bool dated;
    bool profiles;
    void (*at)(const wsk_billing *billing, const wsk_local *now, wsk_rate *out);
} wsk_carbon_ops;

typedef struct {
    int32_t from, to; /* 100 x month + day, both included; to < from: over the turn of the year */
    const char *name;
} wsk_season;
typedef struct {
    int n;
    wsk_season list[WSK_SEASONS];
} wsk_seasons;
typedef struct {
    int year, month, day; /* year 0: every year; day 0: the members weekday and nth give the date */
    int weekday, nth;     /* if day is 0: the nth `weekday` of the month; weekday 0: Monday; nth 5: the last */
    int observed;
} wsk_holiday_rule;
/* List of the holidays of a kind, such as those of a country. A kind without ops describes one holiday by its
 * parameters. */
typedef struct {
    const wsk_holiday_rule *rules;
    size_t count;
} wsk_holiday_ops;
struct wsk_billing {
    const wsk_tariff_params *tariff;
    const wsk_tariff_ops *tariff_ops;
    const wsk_carbon_params *carbon;
    const wsk_carbon_ops *carbon_ops;
    const wsk_solar_params *solar;
    double solar_month[12]; /* per month: solar surplus of a day divided by that of the mean day of the year */
    const wsk_sun *sun;
    const wsk_heating_params *heating;
    bool dated;
    const char *currency;
    const void *zone; /* a wsk_zone; NULL: no time zone, so that clocks are never changed */
    int64_t start_utc_s;
    int n_names;
    const char *names[WSK_NAMES];
    wsk_seasons seasons, carbon_seasons;
    int n_periods, n_demands, n_blocks, n_profiles;
    struct {
        wsk_span when;
        double price_j;
        int name;
    } periods[WSK_SPANS];
    struct {
        wsk_span when;
        double price_w;
        int64_t window_s;
        const char *name;
        int group;
    } demands[WSK_DEMANDS];
    struct {
        double up_to_j, price_j; /* up_to_j: upper end of the block; INFINITY: the last */
        uint32_t seasons;
    } blocks[WSK_BLOCKS];
    struct {
        const wsk_curve *curve;
        uint32_t seasons;
    } profiles[WSK_SEASONS];
    int n_feeds;
    struct {
        wsk_span when;
        double price_j;
    } feeds[WSK_FEEDS]; /* hours with a feed-in price that differs from feed_in_j */
    int n_holidays;
    wsk_holiday_rule holidays[WSK_HOLIDAYS];
};

static inline bool wsk_span_day(const wsk_span *s, int day_kind, int season)
{
    return (s->days >> day_kind & 1u) && (s->seasons >> (season < 0 ? WSK_SEASONS : season) & 1u);
}

static inline bool wsk_span_holds(const wsk_span *s, const wsk_local *now)
{
    if (!wsk_span_day(s, now->day_kind, now->season))
        return false;
    if (!s->timed)
        return true;
    return s->from_s < s->to_s ? now->second >= s->from_s && now->second < s->to_s
                               : now->second >= s->from_s || now->second < s->to_s;
}

/* clock: the clock by which the series is dated, a wsk_clock_of. */
void wsk_series_rate(const wsk_series *series, int clock, const wsk_local *now, wsk_rate *out);

#define WSK_CLOCK_ROW(S) \
    WSK_CHO(S, clock, "clock", wsk_clock_names, "local", 0, "clock of the file's dates: local time or UTC")
extern const char *const wsk_clock_names[], *const wsk_weekday_names[], *const wsk_observed_names[];
/* Substitute day of a holiday: NO: none; MONDAY: Monday if the holiday is a Sunday; NEAREST: the same, and Friday if
 * it is a Saturday. */
typedef enum { WSK_OBSERVED_NO, WSK_OBSERVED_MONDAY, WSK_OBSERVED_NEAREST } wsk_observed;
#define WSK_WHEN_ROWS(S) \
    WSK_TXT(S, from, "from", NULL, 0, "beginning by the clock, \"16:00\"; all other hours when absent"), \
        WSK_TXT(S, to, "to", NULL, 0, "end by the clock, \"21:00\" or \"24:00\"; before from: over midnight"), \
        WSK_TXT(S, days, "days", NULL, 0, \
                "\"weekdays\", \"weekends\", \"holidays\", names such as \"mon-thu, sat\"; every day when absent. " \
                "A holiday " \
                "counts as a Sunday where nothing speaks of holidays"), \
        WSK_TXT(S, season, "season", NULL, 0, "names of seasons, with spaces between; all year when absent")
#define WSK_TARIFF_ROWS \
    WSK_NUM(wsk_tariff_params, surcharge_j, "surcharge", WSK_DIM_ENERGY_PRICE, NULL, -1e9, 1e9, 0, \
            "on every kWh besides: levies, fuel adjustment"), \
        WSK_NUM(wsk_tariff_params, tax, "tax", WSK_DIM_FRACTION, "0 %", 0, 10, 0, \
                "on the whole bill, where prices are without it"), \
        WSK_NUM(wsk_tariff_params, standing_day, "standing-day", WSK_DIM_PRICE, NULL, 0, 1e12, 0, \
                "standing charge a day"), \
        WSK_NUM(wsk_tariff_params, standing_month, "standing-month", WSK_DIM_PRICE, NULL, 0, 1e12, 0, \
                "standing charge a billing month"), \
        WSK_NUM(wsk_tariff_params, minimum_day, "minimum-day", WSK_DIM_PRICE, NULL, 0, 1e12, 0, \
                "least bill, for each day of the billing month"), \
        WSK_NUM(wsk_tariff_params, minimum_month, "minimum-month", WSK_DIM_PRICE, NULL, 0, 1e12, 0, \
                "least bill of a billing month"), \
        WSK_NUM(wsk_tariff_params, billing_day, "billing-day", WSK_DIM_COUNT, "1", 1, 28, 0, \
                "day on which a billing month begins"), \
        WSK_NUM(wsk_tariff_params, other_use_j, "other-use", WSK_DIM_ENERGY, "0 kWh", 0, 1e18, 0, \
                "energy of other consumers on this meter in a billing month; it fills the blocks first")
extern const wsk_child wsk_tariff_children[];

#endif
