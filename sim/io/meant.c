/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guesses what a mistyped part, attribute or value means, also from common spellings that are not accepted. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/io/load.h"

static void family_parts(wsk_loader *l, const char *family, wsk_names *names)
{
    for (size_t i = 0; i < 2; i++)
        wsk_part_ids(l->arena, l->dirs[i], family, false, names);
}

static const char *find_in_path(wsk_loader *l, const char *text, const wsk_names *names)
{
    const char *last = NULL;
    for (const char *p = text; (p = strstr(p, "parts/")) != NULL; p += 6)
        last = p + 6;
    char *id = wsk_strdup(l->arena, last ? last : text);
    size_t len = id ? strlen(id) : 0;
    if (len > 4 && strcmp(id + len - 4, ".xml") == 0)
        id[len - 4] = '\0';
    for (size_t i = 0; id && i < names->count; i++)
        if (strcmp(names->names[i], id) == 0)
            return names->names[i];
    return NULL;
}

static const char *file_like(wsk_arena *arena, const char *dir, const char *name)
{
    DIR *d = dir ? opendir(dir) : NULL;
    if (dir && !d && errno == ENOMEM)
        wsk_arena_fail(arena);
    const char *found = NULL;
    for (struct dirent *e; d && !found && (e = readdir(d)) != NULL;)
        if (wsk_distance(e->d_name, name) == 0 && strlen(e->d_name) == strlen(name))
            found = wsk_printf(arena, "%s/%s", dir, e->d_name);
    if (d)
        closedir(d);
    return wsk_file_exists(found) ? found : NULL;
}

/* Hint for a part whose file is in the user's folder itself instead of in its subfolder `family`, or in that subfolder
 * with other capitals in its name. NULL: no such file. */
static const wsk_said *find_misplaced(wsk_loader *l, const char *family, const char *word)
{
    const char *own = l->dirs[0];
    if (!own || !family || !*word)
        return NULL;
    const char *name = wsk_printf(l->arena, "%s.xml", word), *beside = name ? file_like(l->arena, own, name) : NULL,
               *within = name ? file_like(l->arena, wsk_printf(l->arena, "%s/%s", own, family), name) : NULL;
    size_t len = strlen(own), n = strlen(family);
    len -= len > 1 && own[len - 1] == '/';
    bool inside = len >= n && strncmp(own + len - n, family, n) == 0 &&
                  (len == n || own[len - n - 1] == '/'); /* the user's folder of parts is itself a family's folder,
                                                          * such as mine/gpu */
    if (within)
        return WSK_SAY(l->arena, WSK_SAY_PART_WITHIN, within, name);
    if (!beside)
        return NULL;
    return inside ? WSK_SAY(l->arena, WSK_SAY_PART_ABOVE, beside)
                  : WSK_SAY(l->arena, WSK_SAY_PART_BESIDE, beside, family);
}

/* "80plus-gold" as the catalogue names it: "tier-gold". Other words are returned as they are. */
static const char *as_tier(wsk_arena *arena, const char *word)
{
    static const char *const badges[] = {"80-plus-", "80plus-", "80+-", "80+"};
    for (size_t i = 0; i < sizeof badges / sizeof *badges; i++)
        if (strncmp(word, badges[i], strlen(badges[i])) == 0) {
            const char *tier = wsk_printf(arena, "tier-%s", word + strlen(badges[i]));
            return tier ? tier : word;
        }
    return word;
}

const wsk_said *wsk_meant_part(wsk_loader *l, const char *family, const char *id)
{
    wsk_names names = {.arena = l->arena}, like = {.arena = l->arena};
    const char *near, *word = strrchr(id, '/') ? strrchr(id, '/') + 1 : id;
    char list[80];
    family_parts(l, family, &names);
    const wsk_said *hint = find_misplaced(l, family, word);
    if (hint)
        return hint;
    if ((near = find_in_path(l, id, &names)) != NULL || (near = wsk_io_meant_part(id, &names)) != NULL)
        return WSK_SAY(l->arena, WSK_SAY_MEANT, near);
    /* "psu/gold": lists parts whose names contain the word "gold" */
    const char *tier = as_tier(l->arena, word);
    for (size_t i = 0; *tier && i < names.count; i++)
        if (strstr(names.names[i], tier))
            wsk_names_add(&like, names.names[i]);
    near = like.count ? wsk_io_list(list, sizeof list, &like) : wsk_io_part_by_words(id, &names);
    return near ? WSK_SAY(l->arena, WSK_SAY_THERE_IS, near) : NULL;
}

const wsk_said *wsk_meant_product(wsk_loader *l, const char *family, const char *text)
{
    bool prefixed = family && strncmp(text, family, strlen(family)) == 0 && text[strlen(family)] == '/';
    bool own = !family || prefixed;
    char *word = wsk_printf(l->arena, "%s%s%s", own ? "" : family, own ? "" : "/", text);
    wsk_names names = {.arena = l->arena};
    family_parts(l, family, &names);
    const char *near = find_in_path(l, text, &names);
    if (!near && (!word || !*text || strstr(text, "..") || *text == '/'))
        return NULL;
    for (char *c = near ? NULL : word; c && *c; c++)
        *c = *c == ' ' || *c == '_' ? '-' : (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    near = near ? near : wsk_io_meant_part(word, &names);
    near = near ? near : wsk_io_part_by_words(word, &names);
    return near ? WSK_SAY(l->arena, WSK_SAY_MEANT, near) : NULL;
}

const wsk_said *wsk_meant_element(wsk_arena *arena, const char *word)
{
    static const struct {
        const char *said, *name;
    } elements[] = {{"motherboard", "board"},
                    {"mainboard", "board"},
                    {"ram", "memory"},
                    {"dimm", "memory"},
                    {"ssd", "storage"},
                    {"hdd", "storage"},
                    {"disk", "storage"},
                    {"drive", "storage"},
                    {"nvme", "storage"},
                    {"case", "chassis"},
                    {"tower", "chassis"},
                    {"card", "gpu"},
                    {"graphics-card", "gpu"},
                    {"processor", "cpu"},
                    {"power-supply", "psu"},
                    {"supply", "psu"},
                    {"heatsink", "cooler"},
                    {"electricity", "tariff"},
                    {"aircon", "air-conditioner"},
                    {"ac", "air-conditioner"},
                    {"battery", "ups"},
                    {"breaker", "branch"}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].said, word) == 0)
            return WSK_SAY(arena, WSK_SAY_MEANT, elements[i].name);
    return NULL;
}

/* Synonyms of attributes. element NULL: for all elements. */
static const struct {
    const char *element, *said, *name;
} attributes[] = {
    {NULL, "type", "kind"},        {NULL, "model", "part"},     {NULL, "position", "at"},
    {NULL, "location", "at"},      {NULL, "number", "count"},   {NULL, "quantity", "count"},
    {NULL, "cost", "price"},       {NULL, "watts", "power"},    {NULL, "wattage", "power"},
    {"psu", "rating", "rated"},    {"psu", "power", "rated"},   {"psu", "watts", "rated"},
    {"psu", "wattage", "rated"},   {"psu", "output", "rated"},  {"psu", "badge", "part"},
    {"psu", "efficiency", "part"}, {"gpu", "tgp", "tdp"},       {"gpu", "tbp", "tdp"},
    {"gpu", "watts", "tdp"},       {"gpu", "wattage", "tdp"},   {"gpu", "limit", "power-limit"},
    {"cpu", "tdp", "power"},       {"fan", "size", "diameter"}, {"room", "size", "volume"},
    {"site", "voltage", "supply"}, {"site", "fuse", "circuit"}, {"site", "amps", "circuit"},
    {"tariff", "rate", "price"},   {"run", "duration", "for"},  {"run", "length", "for"},
    {"run", "days", "for"},        {"run", "timezone", "zone"}, {"run", "tz", "zone"},
    {"run", "timestep", "step"},   {"run", "dt", "step"},       {"chassis", "case", "part"},
};

const char *wsk_meant_attr(const char *element, const char *word, wsk_names *names)
{
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            for (size_t k = 0; k < names->count; k++)
                if ((own ? attributes[i].element && strcmp(attributes[i].element, element) == 0
                         : !attributes[i].element) &&
                    strcmp(attributes[i].said, word) == 0 && strcmp(attributes[i].name, names->names[k]) == 0)
                    return names->names[k];
    return wsk_io_meant(word, names);
}

const wsk_said *wsk_meant_choice(const char *element, const char *word, wsk_names *names)
{
    static const struct {
        const char *said, *name;
    } choices[] = {{"back", "rear"},
                   {"intake", "front"},
                   {"exhaust", "rear"},
                   {"true", "yes"},
                   {"false", "no"},
                   {"on", "yes"},
                   {"off", "no"},
                   {"fine-tuning", "training"},
                   {"finetuning", "training"},
                   {"stress", "burn"},
                   {"generation", "decode"},
                   {"llm", "decode"},
                   {"LLM", "decode"},
                   {"Q4", "Q4_K_M"},
                   {"Q5", "Q5_K_M"},
                   {"Q6", "Q6_K"},
                   {"Q8", "Q8_0"},
                   {"FP16", "F16"}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (size_t k = 0; k < names->count; k++)
            if (strcmp(choices[i].said, word) == 0 && strcmp(choices[i].name, names->names[k]) == 0)
                return WSK_SAY(names->arena, WSK_SAY_MEANT, choices[i].name);
    if (!wsk_kind_get(element, word))
        return wsk_io_hint(word, names);
    return WSK_SAY(names->arena, WSK_SAY_MEANT_KIND, word);
}

const wsk_said *wsk_meant_kind(wsk_loader *l, wsk_item *item, const wsk_kind *other, const char *name)
{
    wsk_names closer = {.arena = l->arena};
    size_t len = strlen(name);
    char list[40];
    for (const wsk_param *p = item->kind->params; p->name; p++)
        if (strncmp(p->name, name, len) == 0 && p->name[len] == '-') {
            wsk_names_add(&closer, p->name);
            wsk_names_add(&item->meant, p->name);
        }
    if (!closer.count)
        return WSK_SAY(l->arena, WSK_SAY_KIND_HAS, other->name);
    return WSK_SAY(l->arena, WSK_SAY_KIND_HAS_CLOSER, other->name, wsk_io_list(list, sizeof list, &closer));
}

enum { TEXT_MAX = 48 };

static size_t at_text(const char *s, const char *text)
{
    return strncmp(s, text, strlen(text)) == 0 ? strlen(text) : 0;
}

/* Replaces a dash before a number by the ASCII minus, and removes a sign that means "about", such as "~". */
static const char *plain_sign(const char *text, char out[TEXT_MAX])
{
    static const char *const dashes[] = {"\xE2\x88\x92", "\xE2\x80\x93", "\xE2\x80\x94",
                                         "\xE2\x80\x90", "\xE2\x80\x91", "\xEF\xBC\x8D"},
                             *const about[] = {"~", "\xE2\x89\x88", "ca. ", "ca.", "+-", "\xC2\xB1"};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (at_text(text, dashes[i])) {
            snprintf(out, TEXT_MAX, "-%.*s", TEXT_MAX - 2, text + at_text(text, dashes[i]));
            return out;
        }
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (at_text(text, about[i]))
            return text + at_text(text, about[i]) + strspn(text + at_text(text, about[i]), " ");
    return text;
}

/* True if the marks in a number separate thousands: three digits after each mark, and before the first mark one to
 * three digits that do not begin with 0. */
static bool thousands(const char *number, size_t len, char mark)
{
    size_t last = 0, marks = 0;
    for (size_t i = 0; i < len; i++)
        if (number[i] == mark) {
            if (i == 0 || (marks ? i - last != 4 : i > 3 || number[0] == '0'))
                return false;
            last = i;
            marks++;
        }
    return marks > 0 && len - last == 4;
}

/* Replaces full-width letters, digits and signs, as on Japanese keyboards, by ASCII: "\uff12\uff17" becomes 27. */
static const char *plain_width(const char *text, char out[TEXT_MAX])
{
    size_t n = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s && n + 1 < TEXT_MAX; s++) {
        bool wide =
            /* s[2] may be read, because neither s[0] nor s[1] is the end of the text */
            s[0] == 0xEF && s[1] >= 0xBC && s[1] <= 0xBD && wsk_utf8_inside((char)s[2]);
        unsigned code = wide ? (unsigned)(s[1] - 0xBC) * 64 + (s[2] & 0x3Fu) : 0;
        if (code > 0 && code < 0x5F) { /* U+FF01 to U+FF5E are in the order of ASCII from '!' */
            out[n++] = (char)(' ' + code);
            s += 2;
        } else {
            out[n++] = (char)*s;
        }
    }
    out[n] = '\0';
    return out;
}

/* Moves a currency sign behind the number, so that "$0.16/kWh" becomes "0.16 $/kWh", and removes "AC" or "DC" before
 * the number, so that "AC100V" becomes "100V". */
static const char *plain_order(const char *text, char out[TEXT_MAX])
{
    static const char *const before[] = {"$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t sign = at_text(text, before[i]);
        const char *number = text + sign + strspn(text + sign, " ");
        size_t digits = strspn(number, "0123456789.,");
        if (sign && digits) {
            snprintf(out, TEXT_MAX, "%.*s %s%s", (int)digits, number, before[i], number + digits);
            return out;
        }
    }
    if (strncmp(text, "AC", 2) == 0 || strncmp(text, "DC", 2) == 0)
        return text + 2 + strspn(text + 2, " ");
    return text;
}

/* Rewrites the number at the start of a text: removes separators of thousands, and makes the decimal sign a point.
 * comma_parts: a comma may separate thousands. */
static const char *plain_number(const char *text, char out[TEXT_MAX], bool comma_parts)
{
    size_t sign = *text == '-' || *text == '+', len = strspn(text + sign, "0123456789.,'"), n = 0;
    const char *number = text + sign, *comma = memchr(number, ',', len), *point = memchr(number, '.', len);
    bool again = point && memchr(point + 1, '.', len - (size_t)(point + 1 - number));
    char decimal = 0;
    if (comma && point)
        decimal = comma < point ? '.' : ',';
    else if (comma)
        decimal = comma_parts && thousands(number, len, ',') ? 0 : ',';
    else if (point && !(again && thousands(number, len, '.')))
        decimal = '.';
    memcpy(out, text, sign);
    n = sign;
    for (size_t i = 0; i < len; i++)
        if (number[i] == decimal)
            out[n++] = '.';
        else if (number[i] >= '0' && number[i] <= '9')
            out[n++] = number[i];
    snprintf(out + n, TEXT_MAX - n, "%s", number + len);
    return out;
}

/* Unit names that the parser does not accept (said), the accepted unit, and the worth of one in that unit: 1 ct is
 * 0.01 EUR. */
static const struct {
    const char *said, *unit;
    double worth;
} units[] = {
    {"\xE2\x82\xAC", "EUR", 1}, {"Euro", "EUR", 1},        {"euro", "EUR", 1},
    {"\xC2\xA3", "GBP", 1},     {"$", "USD", 1},           {"\xC2\xA5", "JPY", 1},
    {"\xE5\x86\x86", "JPY", 1}, {"yen", "JPY", 1},         {"dollar", "USD", 1},
    {"ct", "EUR", 0.01},        {"cent", "EUR", 0.01},     {"Cent", "EUR", 0.01},
    {"months", "d", 30},        {"month", "d", 30},        {"y", "year", 1},
    {"w", "week", 1},           {"m", "min", 1},           {"hrs", "h", 1},
    {"mins", "min", 1},         {"VAC", "V", 1},           {"Vac", "V", 1},
    {"\xE3\x8E\xA5", "m3", 1},  {"\xE3\x8E\xA1", "m2", 1}, {"Celsius", "degC", 1},
    {"Grad", "degC", 1},        {"deg", "degC", 1},        {"\xC2\xB0", "degC", 1},
};

static const char *plain_unit(const char *text, size_t digits, char out[TEXT_MAX])
{
    const char *unit = text + digits + strspn(text + digits, " "), *end;
    double number = NAN;
    if (!wsk_parse_number(text, &end, &number))
        return text;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t len = at_text(unit, units[i].said);
        const char *rest = unit + len;
        if (!len || (*rest && *rest != '/' && *rest != ' '))
            continue;
        char worth[40];
        if (units[i].worth == 1)
            snprintf(worth, sizeof worth, "%.*s", (int)digits, text);
        else
            wsk_print_places(worth, sizeof worth, number * units[i].worth, 10);
        snprintf(out, TEXT_MAX, "%s %s%s", worth, units[i].unit, strcmp(rest, "/kW/h") == 0 ? "/kWh" : rest);
        return out;
    }
    if (strspn(unit, "abcdefghijklmnopqrstuvwxyz") == 3 && (!unit[3] || unit[3] == '/')) {
        snprintf(out, TEXT_MAX, "%.*s %c%c%c%s", (int)digits, text, unit[0] - 'a' + 'A', unit[1] - 'a' + 'A',
                 unit[2] - 'a' + 'A', unit + 3);
        return out;
    }
    const char *hourly = strstr(unit, "/kW/h");
    if (hourly && !hourly[5]) /* "/kW/h", a common mistake for "/kWh" */
        snprintf(out, TEXT_MAX, "%.*s/kWh", (int)(hourly - text), text);
    return hourly && !hourly[5] ? out : text;
}

static bool is_quantity(const char *text, wsk_dim dim)
{
    double si;
    char currency[8];
    size_t where;
    wsk_dim means;
    return wsk_parse_quantity(text, dim, &si, currency, &where, &means) == WSK_UNIT_OK && isfinite(si);
}

static const char *read_as_energy_price(wsk_loader *l, const char *text)
{
    const char *price = wsk_printf(l->arena, "%s/kWh", text);
    return price && is_quantity(price, WSK_DIM_ENERGY_PRICE) ? price : NULL;
}

static const char *rewrite_value(wsk_loader *l, const char *text, wsk_dim dim, bool comma_parts)
{
    char a[TEXT_MAX], b[TEXT_MAX], c[TEXT_MAX], d[TEXT_MAX], e[TEXT_MAX];
    if (strlen(text) >= TEXT_MAX - 16)
        return NULL;
    const char *plain = plain_number(plain_sign(plain_order(plain_width(text, d), e), a), b, comma_parts);
    if (!is_quantity(plain, dim))
        plain = plain_unit(plain, strspn(plain, "+-.0123456789"), c);
    if (!is_quantity(plain, dim) && dim == WSK_DIM_ENERGY_PRICE)
        return read_as_energy_price(l, plain);
    return is_quantity(plain, dim) ? wsk_strdup(l->arena, plain) : NULL;
}

/* Reads a number and a unit of time at the start of a text. *unit: the accepted unit. Returns the length; 0: the text
 * does not start so. */
static size_t read_time(const char *text, double *seconds, const char **unit)
{
    static const struct {
        const char *said, *unit;
    } begins[] = {{"ms", "ms"}, {"sec", "s"}, {"s", "s"}, {"min", "min"}, {"m", "min"}, {"hour", "h"},
                  {"hr", "h"},  {"h", "h"},   {"d", "d"}, {"w", "week"},  {"y", "year"}};
    size_t digits = strspn(text, "0123456789."), blank = strspn(text + digits, " ");
    const char *word = text + digits + blank;
    char plain[TEXT_MAX];
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (digits && at_text(word, begins[i].said)) {
            snprintf(plain, sizeof plain, "%.*s %s", (int)digits, text, begins[i].unit);
            *unit = begins[i].unit;
            size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyz");
            bool read = wsk_parse_quantity(plain, WSK_DIM_TIME, seconds, NULL, NULL, NULL) == WSK_UNIT_OK;
            return read ? digits + blank + letters : 0;
        }
    return 0;
}

/* The sum of a time that is written in pieces, such as "1d 12h", in the unit of its last piece: "36 h". NULL: the text
 * is no such time. */
static const char *add_times(wsk_loader *l, const char *text)
{
    double sum_s = 0, piece_s, one_s;
    const char *unit = "", *rest = text;
    size_t pieces = 0;
    char one[16], total[40];
    for (size_t len; *rest; rest += len, rest += strspn(rest, ", "), sum_s += piece_s, pieces++)
        if (strlen(rest) >= TEXT_MAX - 16 || !(len = read_time(rest, &piece_s, &unit)))
            return NULL;
    snprintf(one, sizeof one, "1 %s", unit);
    if (pieces < 2 || wsk_parse_quantity(one, WSK_DIM_TIME, &one_s, NULL, NULL, NULL) != WSK_UNIT_OK)
        return NULL;
    wsk_print_places(total, sizeof total, sum_s / one_s, 10);
    return wsk_printf(l->arena, "%s %s", total, unit);
}

const wsk_said *wsk_meant_value(wsk_loader *l, const char *text, wsk_dim dim)
{
    const char *usual = rewrite_value(l, text, dim, true), *other = rewrite_value(l, text, dim, false);
    if (usual && other && strcmp(usual, other) != 0) /* ambiguous, such as "1,000 W" */
        return WSK_SAY(l->arena, WSK_SAY_MEANT_EITHER, usual, other);
    usual = usual ? usual : other;
    if (!usual && dim == WSK_DIM_TIME)
        usual = add_times(l, text);
    return usual ? WSK_SAY(l->arena, WSK_SAY_MEANT, usual) : NULL;
}
