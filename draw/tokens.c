/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "draw/report.h"
#include "sim/say/say.h"

static int places_of(double value)
{
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

static void paragraph(wsk_report *r, const wsk_said *said)
{
    if (!said)
        return;
    fputs("<p>", r->out);
    wsk_report_text(r->out, wsk_report_message(r, said));
    fputs("</p>\n", r->out);
}

void wsk_report_tokens(wsk_report *r)
{
    const wsk_facts f = wsk_facts_of(r->summary);
    const struct {
        wsk_result value, spread; /* spread: relative uncertainty of `value` */
        double low, high; /* ends of the range of `value`, if they are unequally far from it; NAN: not known */
        bool per_second;
    } tiles[] = {{WSK_R_TOKENS_GENERATION, WSK_R_TOKENS_GENERATION_SPREAD, f.tokens_low, f.tokens_high, true},
                 {WSK_R_TOKENS_PROMPT, WSK_R_TOKENS_PROMPT_SPREAD, f.prompt_low, f.prompt_high, true},
                 {WSK_R_TOKENS_ENERGY, WSK_R_TOKENS_ENERGY_SPREAD, NAN, NAN, false},
                 {WSK_R_TOKENS_COST, WSK_R_TOKENS_COST_SPREAD, NAN, NAN, false},
                 {WSK_R_TOKENS_MEMORY, WSK_R_TOKENS_MEMORY_SPREAD, NAN, NAN, false}};
    if (!f.model)
        return;
    wsk_report_open_section(r, TR_("Tokens"));
    paragraph(r,
              f.fits ? WSK_SAY(r->arena, WSK_SAY_TOKENS_FIT, f.need_gib, f.have_gib) : wsk_say_tokens(&f, r->arena));
    fputs("<dl class=\"tiles\">\n", r->out);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        const double value = wsk_report_result(r, tiles[i].value, 0);
        const double half = value * wsk_report_result(r, tiles[i].spread, 0);
        const bool ends = tiles[i].per_second && wsk_tokens_wide(&f);
        wsk_report_ranged_tile(
            r, wsk_report_label(r, tiles[i].value), places_of(value),
            &(wsk_ranged){value, ends ? tiles[i].low : value - half, ends ? tiles[i].high : value + half},
            tiles[i].per_second ? "" : wsk_report_unit(r, tiles[i].value));
    }
    wsk_report_tile(r, wsk_report_label(r, WSK_R_TOKENS_CARDS_MEMORY), places_of(f.have_gib), f.have_gib,
                    wsk_report_unit(r, WSK_R_TOKENS_CARDS_MEMORY));
    fputs("</dl>\n", r->out);
    paragraph(r, wsk_say_requests(&f, r->arena));
    paragraph(r, wsk_say_tokens_elsewhere(&f, r->arena));
    fputs("<p class=\"note\">", r->out);
    wsk_report_text(r->out, TR_("Of ten cases, eight stay within the ± of rates and memory; energy and cost add the "
                                "uncertainty of the power."));
    fputs("</p>\n</section>\n", r->out);
}
