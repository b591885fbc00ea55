/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kind of card is left out of the fit. Bands: docs/theory/tokens.md, "Fit" */
#include <math.h>
#include <stdlib.h>

#include "tests/support/tokens.h"
#include "tests/unit/assert.h"

static void print_score(const char *what, wsk_token_score s)
{
    print_message("%s: %d rows, mean %.1f %%, worst %.0f %%, %.0f %% within the band\n", what, s.rows, 100 * s.mean,
                  100 * s.worst, 100 * s.inside);
}

static void near_to(double a, double b, double rel)
{
    assert_true(fabs(log(a / b)) < log(1 + rel));
}

static void left_out(void **state)
{
    (void)state;
    wsk_tokens_facts *f = malloc(sizeof *f);
    assert_non_null(f);
    assert_true(wsk_tokens_read(f));
    const wsk_engine_law *law = &wsk_engine_laws[WSK_ENGINE_LLAMA_CPP], *all = &f->all;
    const wsk_token_score gddr = wsk_tokens_score(f, 0, 0), hbm = wsk_tokens_score(f, 0, 1),
                          prompt = wsk_tokens_score(f, 1, -1);
    print_score("generation, GDDR", gddr);
    print_score("generation, HBM", hbm);
    print_score("prompts", prompt);
    print_message("pairs in order: %d of %d\n", f->in_order, f->pairs);
    print_message("fit: share %.3f digest %.2f layer %.1f us hop %.0f us, prompt %.3f %.3f layer %.0f us\n",
                  all->share, all->digest, 1e6 * all->layer_s, 1e6 * all->hop_s, all->prompt, all->prompt_16,
                  1e6 * all->prompt_layer_s);
    assert_true(f->n >= 80 && f->kinds >= 16);
    assert_true(gddr.mean <= 0.12 && hbm.mean <= 0.20);
    assert_true(prompt.mean <= 0.30);
    assert_true(gddr.inside >= 0.78 && hbm.inside >= 0.76 && prompt.inside >= 0.78);
    assert_true(f->in_order >= 0.95 * f->pairs);
    near_to(all->share, law->share, 0.05);
    near_to(all->digest, law->digest, 0.15);
    near_to(all->layer_s, law->layer_s, 0.15);
    near_to(all->hop_s, law->hop_s, 0.5);
    near_to(all->prompt, law->prompt, 0.1);
    near_to(all->prompt_16, law->prompt_16, 0.1);
    wsk_tokens_free(f);
    free(f);
}

/* Many requests at once. No constant was fitted to these rows, but the digest of vLLM was chosen by those of one
 * request. */
static void requests_together(void **state)
{
    (void)state;
    const wsk_token_score together = wsk_tokens_together();
    print_score("requests together", together);
    assert_true(together.rows >= 20 && together.mean < 0.3 && together.worst < 1);
    assert_true(together.inside >= 0.75 && together.inside <= 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(left_out), cmocka_unit_test(requests_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
