/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the sentences on the language model: memory, tokens/s, requests, and what another provider charges for tokens.
 * Theory: docs/theory/tokens.md */
#include <math.h>

#include "sim/say/say.h"

bool wsk_tokens_wide(const wsk_facts *f)
{
    return wsk_loss_wide(f) && f->tokens_high > f->tokens_low;
}

const wsk_said *wsk_say_tokens(const wsk_facts *f, wsk_arena *a)
{
    if (!f->model)
        return NULL;
    if (!f->fits && !(f->tokens_s > 0))
        return WSK_SAY(a, WSK_SAY_TOKENS_NO_ROOM, f->need_gib, f->have_gib);
    const char *rate = wsk_say_rounded(a, f->tokens_s, 3);
    if (f->tokens_s > 0 && wsk_tokens_wide(f)) {
        const char *low = wsk_say_rounded(a, f->tokens_low, 2), *high = wsk_say_rounded(a, f->tokens_high, 2);
        return f->fits ? WSK_SAY(a, WSK_SAY_TOKENS_RANGE, rate, low, high)
                       : WSK_SAY(a, WSK_SAY_TOKENS_SPILL_RANGE, f->need_gib, f->have_gib, rate, low, high);
    }
    return !(f->tokens_s > 0) ? WSK_SAY(a, WSK_SAY_TOKENS_FIT, f->need_gib, f->have_gib)
           : f->fits          ? WSK_SAY(a, WSK_SAY_TOKENS, rate, 100 * f->tokens_rel)
                              : WSK_SAY(a, WSK_SAY_TOKENS_SPILL, f->need_gib, f->have_gib, rate, 100 * f->tokens_rel);
}

const wsk_said *wsk_say_requests(const wsk_facts *f, wsk_arena *a)
{
    if (!(f->requests > 1) || !(f->request_s > 0))
        return NULL;
    const char *each = wsk_say_rounded(a, f->request_s, 3);
    return f->copies > 1 ? WSK_SAY(a, WSK_SAY_TOKENS_REQUESTS, (double)f->copies, (double)f->requests, each)
                         : WSK_SAY(a, WSK_SAY_TOKENS_STREAMS, (double)f->requests, each);
}

const wsk_said *wsk_say_tokens_elsewhere(const wsk_facts *f, wsk_arena *a)
{
    if (!(f->token_price > 0) || !(f->token_cost > 0))
        return NULL;
    return WSK_SAY(a, WSK_SAY_TOKENS_ELSEWHERE, wsk_say_money(a, f->token_price, f->currency),
                   wsk_say_rounded(a, f->token_price / f->token_cost, 2));
}
