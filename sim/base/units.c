/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/said.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

static const wsk_dim_info dims[WSK_DIM_COUNT_] = {
    [WSK_DIM_NONE] = {"", WSK_N("plain number"), WSK_N("a number without a unit"), ""},
    [WSK_DIM_FRACTION] = {"", WSK_N("fraction"), WSK_N("%, or a plain number such as 0.82"), "%"},
    [WSK_DIM_COUNT] = {"", WSK_N("count"), WSK_N("a whole number without a unit"), ""},
    [WSK_DIM_POWER] = {"W", WSK_N("power"), "W, kW, MW, mW, BTU/h, ton", "W"},
    [WSK_DIM_TEMPERATURE] = {"K", WSK_N("temperature"), "degC, degF, K", "degC"},
    [WSK_DIM_TEMP_DIFF] = {"K", WSK_N("temperature difference"), "K, degC, degF", "K"},
    [WSK_DIM_TIME] = {"s", WSK_N("time"), "s, ms, min, h, d, week, year", "s"},
    [WSK_DIM_LENGTH] = {"m", WSK_N("length"), "mm, cm, m, in, ft", "mm"},
    [WSK_DIM_AREA] = {"m2", WSK_N("area"), "cm2, mm2, m2, in2, ft2", "cm2"},
    [WSK_DIM_VOLUME] = {"m3", WSK_N("volume"), "m3, l, ft3", "m3"},
    [WSK_DIM_FLOW] = {"m3/s", WSK_N("volume flow"), "m3/h, m3/s, l/s, CFM", "m3/h"},
    [WSK_DIM_PRESSURE] = {"Pa", WSK_N("pressure"), "Pa, kPa, mbar, mmH2O, inH2O", "Pa"},
    [WSK_DIM_SPEED] = {"rpm", WSK_N("rotational speed"), "rpm, 1/s", "rpm"},
    [WSK_DIM_FREQUENCY] = {"Hz", WSK_N("frequency"), "MHz, GHz, kHz, Hz", "MHz"},
    [WSK_DIM_CONDUCTANCE] = {"W/K", WSK_N("thermal conductance"), "W/K, kW/K", "W/K"},
    [WSK_DIM_RESISTANCE] = {"K/W", WSK_N("thermal resistance"), "K/W, degC/W", "K/W"},
    [WSK_DIM_CAPACITY] = {"J/K", WSK_N("heat capacity"), "J/K, kJ/K, Wh/K, kWh/K", "J/K"},
    [WSK_DIM_VOLTAGE] = {"V", WSK_N("voltage"), "V, kV, mV", "V"},
    [WSK_DIM_CURRENT] = {"A", WSK_N("current"), "A, mA", "A"},
    [WSK_DIM_PER_KELVIN] = {"1/K", WSK_N("share per kelvin"), "1/K, %/K", "1/K"},
    [WSK_DIM_PER_FREQ] = {"1/Hz", WSK_N("share per frequency"), "1/GHz, 1/MHz, 1/Hz", "1/GHz"},
    [WSK_DIM_POWER_PER_FREQ] = {"W/Hz", WSK_N("power per frequency"), "W/GHz, W/MHz, W/Hz", "W/GHz"},
    [WSK_DIM_FREQ_PER_K] = {"Hz/K", WSK_N("frequency per kelvin"), "MHz/K, kHz/K, Hz/K", "MHz/K"},
    [WSK_DIM_MASS] = {"kg", WSK_N("mass"), "kg, g, t, lb", "kg"},
    [WSK_DIM_DATA] = {"B", WSK_N("amount of data"), "GB, MB, TB, GiB, MiB, B", "GB"},
    [WSK_DIM_DATA_RATE] = {"B/s", WSK_N("data rate"), "GB/s, TB/s, MB/s", "GB/s"},
    [WSK_DIM_PRICE] = {"", WSK_N("price"), WSK_N("a currency such as USD or EUR"), ""},
    [WSK_DIM_ENERGY_PRICE] = {"/J", WSK_N("price of energy"),
                              WSK_N("a currency per energy, such as USD/kWh or EUR/MWh"), "/kWh"},
    [WSK_DIM_CARBON] = {"kg/J", WSK_N("carbon intensity"), "kg/kWh, g/kWh, kg/MWh", "kg/kWh"},
    [WSK_DIM_SOUND] = {"dBA", WSK_N("sound pressure level"), "dBA", "dBA"},
    [WSK_DIM_ENERGY] = {"J", WSK_N("energy"), "kWh, MWh, Wh, J, MJ", "kWh"},
    [WSK_DIM_POWER_PRICE] = {"/W", WSK_N("price of power"), WSK_N("a currency per power, such as USD/kW"), "/kW"},
};

const wsk_dim_info *wsk_dim_about(wsk_dim dim)
{
    return &dims[(unsigned)dim < WSK_DIM_COUNT_ ? dim : WSK_DIM_NONE];
}

/* Characters in units that people type, as UTF-8, and the ASCII form that replaces them. */
static const struct {
    const char *from, *to;
} spellings[] = {
    {"\xC2\xB0", "deg"}, /* degree sign */
    {"\xC2\xBA", "deg"}, /* ordinal sign, often typed instead */
    {"\xE2\x84\x83", "degC"},
    {"\xE2\x84\x89", "degF"},
    {"\xC2\xB5", "u"}, /* micro sign */
    {"\xCE\xBC", "u"}, /* Greek mu */
    {"\xC2\xB2", "2"}, /* superscript two; the next entry is superscript three */
    {"\xC2\xB3", "3"},
    {"\xE2\x82\x82", "2"}, /* subscript two, of H2O and CO2 */
    {"^", ""},
};

/* Length in bytes of the white space character at s: white space of XML, or a no-break or thin space, which
 * typesetters put before a unit. 0: no white space. */
static size_t space_at(const char *s)
{
    static const char *const wide[] = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
    if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
        return 1;
    for (size_t i = 0; (unsigned char)*s >= 0x80 && i < sizeof wide / sizeof *wide; i++)
        if (strncmp(s, wide[i], strlen(wide[i])) == 0)
            return strlen(wide[i]);
    return 0;
}

static const char *skip_space(const char *s)
{
    for (size_t n = space_at(s); n; n = space_at(s))
        s += n;
    return s;
}

static const char *read_spelling(const char **s, char plain[2])
{
    bool odd = (unsigned char)**s >= 0x80 || **s == '^';
    for (size_t i = 0; odd && i < sizeof spellings / sizeof *spellings; i++) {
        size_t len = strlen(spellings[i].from);
        if (strncmp(*s, spellings[i].from, len) == 0) {
            *s += len;
            return spellings[i].to;
        }
    }
    plain[0] = *(*s)++;
    plain[1] = '\0';
    return plain;
}

/* Writes the unit text in plain letters, without blanks at its end and around '/'; "?" if it is longer than any
 * unit. */
static void normalise(char out[WSK_UNIT_BYTES], const char *s)
{
    size_t len = 0;
    while (*s) {
        char plain[2];
        const char *piece = " ";
        if (space_at(s)) {
            s = skip_space(s);
            if (!*s || *s == '/' || (len && out[len - 1] == '/'))
                continue;
        } else {
            piece = read_spelling(&s, plain);
        }
        size_t n = strlen(piece);
        if (len + n >= WSK_UNIT_BYTES) {
            memcpy(out, "?", 2);
            return;
        }
        memcpy(out + len, piece, n);
        len += n;
    }
    out[len] = '\0';
}

static bool is_label(const char *s)
{
    for (int i = 0; i < 3; i++)
        if (s[i] < 'A' || s[i] > 'Z')
            return false;
    return true;
}

static const wsk_unit *find_unit(const char *text, wsk_dim dim)
{
    for (size_t i = 0; i < wsk_unit_count; i++)
        if ((wsk_units[i].dim == dim || dim == WSK_DIM_COUNT_) && strcmp(wsk_units[i].text, text) == 0)
            return &wsk_units[i];
    return NULL;
}

static const wsk_unit price = {"", WSK_DIM_PRICE, 0, 1, 1, 0, 0};

/* Finds the unit with this text in a dimension; NULL: none. For a price, any three capitals are a currency, unless
 * they are a unit such as "CFM". */
static const wsk_unit *find_fitting(const char *text, wsk_dim dim)
{
    if (dim == WSK_DIM_PRICE)
        return is_label(text) && !text[3] && !find_unit(text, WSK_DIM_COUNT_) ? &price : NULL;
    if (dim == WSK_DIM_ENERGY_PRICE || dim == WSK_DIM_POWER_PRICE)
        return is_label(text) && text[3] == '/' ? find_unit(text + 3, dim) : NULL;
    return find_unit(text, dim);
}

/* Finds the dimension of a unit that does not fit; WSK_DIM_COUNT_: unknown. Only well-known currency labels are
 * recognised, because "40 CFN" is more likely a misspelt unit than a price. */
static wsk_dim dim_of(const char *text)
{
    static const char known[] = "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD "
                                "PHP PLN RON SAR SEK SGD THB TRY TWD UAH USD VND ZAR";
    const wsk_unit *unit = text[0] == '/' ? NULL : find_unit(text, WSK_DIM_COUNT_);
    if (unit)
        return unit->dim;
    if (!is_label(text))
        return WSK_DIM_COUNT_;
    if (text[3] == '/')
        return find_unit(text + 3, WSK_DIM_ENERGY_PRICE)  ? WSK_DIM_ENERGY_PRICE
               : find_unit(text + 3, WSK_DIM_POWER_PRICE) ? WSK_DIM_POWER_PRICE
                                                          : WSK_DIM_COUNT_;
    return !text[3] && strstr(known, text) ? WSK_DIM_PRICE : WSK_DIM_COUNT_;
}

static bool takes_bare_number(wsk_dim dim)
{
    return dim == WSK_DIM_NONE || dim == WSK_DIM_FRACTION || dim == WSK_DIM_COUNT;
}

static bool convert_number(const char *number, const wsk_unit *unit, double *si)
{
    const char *end;
    double v;
    if (!wsk_scan_scaled(number, &end, unit ? unit->exp10 : 0, &v))
        return false;
    if (unit) {
        v = (v + unit->before) * unit->mul;
        v = v / unit->div + unit->after;
    }
    if (!isfinite(v))
        return false;
    *si = v;
    return true;
}

static wsk_unit_result explain_misfit(const char *text, wsk_dim *means)
{
    wsk_dim is = dim_of(text);
    if (is == WSK_DIM_COUNT_)
        return WSK_UNIT_UNKNOWN;
    *means = is;
    return WSK_UNIT_WRONG;
}

wsk_unit_result wsk_parse_quantity(const char *text, wsk_dim dim, double *si, char currency[8], size_t *at,
                                   wsk_dim *means)
{
    size_t unasked_at;
    wsk_dim unasked_means;
    at = at ? at : &unasked_at;
    means = means ? means : &unasked_means;
    const char *number = skip_space(text), *end;
    char unit_text[WSK_UNIT_BYTES];
    double value;
    *at = (size_t)(number - text);
    bool read = wsk_parse_number(number, &end, &value);
    if (!read && end == number)
        return WSK_UNIT_NOT_A_NUMBER;
    const char *behind = skip_space(end);
    if (*end == ',' || *end == '.') { /* decimal comma or thousands separator */
        *at = (size_t)(end - text);
        return WSK_UNIT_NOT_A_NUMBER;
    }
    normalise(unit_text, behind);
    const wsk_unit *unit = *behind ? find_fitting(unit_text, dim) : NULL;
    if (*behind && !unit) {
        *at = (size_t)(behind - text);
        return explain_misfit(unit_text, means);
    }
    if (!*behind && !takes_bare_number(dim))
        return WSK_UNIT_MISSING;
    if (!convert_number(number, unit, &value))
        return WSK_UNIT_OVERFLOW;
    if (dim == WSK_DIM_COUNT && value != floor(value))
        return WSK_UNIT_NOT_A_NUMBER;
    if (dim == WSK_DIM_COUNT && fabs(value) > 0x1p53) /* beyond 2^53 the double may differ from the integer typed */
        return WSK_UNIT_OVERFLOW;
    if (currency && (dim == WSK_DIM_PRICE || dim == WSK_DIM_ENERGY_PRICE || dim == WSK_DIM_POWER_PRICE)) {
        memcpy(currency, unit_text, 3);
        currency[3] = '\0';
    }
    *si = value;
    return WSK_UNIT_OK;
}

bool wsk_parse_day_time(const char *text, double *second)
{
    int value[2] = {0, 0}, digits[2] = {0, 0}, k = 0;
    const char *s = text;
    for (; (*s >= '0' && *s <= '9' && digits[k] < 2) || (*s == ':' && k == 0); s++)
        if (*s == ':') {
            k = 1;
        } else {
            value[k] = value[k] * 10 + (*s - '0');
            digits[k]++;
        }
    double v = value[0] * 3600 + value[1] * 60;
    const bool by_clock = !*s && digits[0] > 0 && digits[1] == 2 && value[1] < 60;
    if (!by_clock && wsk_parse_quantity(text, WSK_DIM_TIME, &v, NULL, NULL, NULL) != WSK_UNIT_OK)
        return false;
    if (!(v >= 0 && v <= 86400) || v != floor(v))
        return false;
    *second = v;
    return true;
}

static double to_unit(double si, const wsk_unit *unit)
{
    return (si - unit->after) * unit->div / unit->mul - unit->before;
}

static bool print_exact(char text[64], double si, const wsk_unit *unit)
{
    double back;
    if (unit->mul == unit->div && unit->before == 0 && unit->after == 0) {
        wsk_print_scaled(text, 64, si, unit->exp10);
        return true;
    }
    for (int places = 1; places <= 17; places++) {
        wsk_print_places(text, 64, to_unit(si, unit), places);
        if (convert_number(text, unit, &back) && back == si)
            return true;
    }
    return false;
}

int wsk_format_quantity(char *out, size_t size, double si, wsk_dim dim, const char *currency)
{
    const wsk_dim_info *about = wsk_dim_about(dim);
    const char *label = "", *unit_text = about->edge;
    char text[64];
    if (dim == WSK_DIM_PRICE || dim == WSK_DIM_ENERGY_PRICE || dim == WSK_DIM_POWER_PRICE)
        label = currency && *currency ? currency : "XXX"; /* ISO 4217: no currency */
    const wsk_unit *unit = *unit_text ? find_unit(unit_text, dim) : NULL;
    if (!unit) {
        wsk_format_number(text, sizeof text, si);
    } else if (!isfinite(si) || !print_exact(text, si, unit)) {
        wsk_format_number(text, sizeof text, si);
        unit_text = about->unit;
    }
    return snprintf(out, size, "%s%s%s%s", text, *label || *unit_text ? " " : "", label, unit_text);
}

void wsk_format_bound(char *out, size_t size, double v, wsk_dim dim, const char *currency)
{
    if (dim == WSK_DIM_TEMPERATURE || (dim == WSK_DIM_LENGTH && fabs(v) >= 1)) {
        char number[40];
        wsk_print_places(number, sizeof number, dim == WSK_DIM_TEMPERATURE ? v - WSK_KELVIN : v, 6);
        snprintf(out, size, "%s %s", number, dim == WSK_DIM_TEMPERATURE ? "degC" : "m");
        return;
    }
    const double day_s = 86400;
    if (dim == WSK_DIM_TIME && fabs(v - day_s) < 1e-6) /* the end of a day: people write "24 h" */
        snprintf(out, size, "24 h");
    else
        wsk_format_quantity(out, size, v, dim, currency);
}

double wsk_at_limit(double v, double low, double high)
{
    /* relative difference that counts as rounding in the conversion of a unit: -50 degC is 223.14999999999998 K */
    static const double rounding = 4e-15;
    return fabs(v - low) <= rounding * fabs(low) ? low : fabs(v - high) <= rounding * fabs(high) ? high : v;
}
