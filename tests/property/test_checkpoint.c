/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint is a file that anybody may have written. Each number of its state, one after the other, is replaced by
 * values that nobody expects, with a digest that fits. The run refuses it, or goes on without a crash or an endless
 * loop. */
#include <math.h>
#include <string.h>

#include "sim/base/base.h"
#include "sim/books/books.h"
#include "tests/support/bench.h"

/* The header has nine words; the last is the digest of the state behind it. */
enum { WORD = 8, HEAD = 9 * WORD, DIGEST = 8 * WORD };

static void check_word(wsk_run *run, char *bytes, size_t len, size_t word, const void *value)
{
    char before[WORD];
    memcpy(before, bytes + HEAD + word * WORD, WORD);
    memcpy(bytes + HEAD + word * WORD, value, WORD);
    uint64_t digest = wsk_hash_words(bytes + HEAD, len - HEAD);
    memcpy(bytes + DIGEST, &digest, WORD);
    wsk_status status = wsk_run_restore(run, bytes, len);
    if (status == WSK_OK) {
        wsk_summary *summary = NULL;
        status = wsk_run_advance(run, wsk_run_time(run) + 120);
        assert_true(status == WSK_OK || status == WSK_ENUMERIC || status == WSK_EAUDIT);
        wsk_run_summary(&summary, run, 0);
        wsk_summary_free(summary);
    } else {
        assert_int_equal(status, WSK_EINPUT);
    }
    memcpy(bytes + HEAD + word * WORD, before, WORD);
}

static void test_any_number_may_be_wrong(void **state)
{
    (void)state;
    static const int64_t whole[] = {INT64_MAX, INT64_MIN, -1, 1 << 20, 7};
    static const double real[] = {NAN, INFINITY, -1e308, 1e30};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/single-3090/rig.xml", .parts_dir = "parts"}),
        WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 7200}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    char *bytes = NULL;
    size_t len = 0;
    assert_int_equal(wsk_run_save(run, &bytes, &len), WSK_OK);
    /* All but the observer's rows, which are only sums. */
    size_t words = (len - HEAD) / WORD < 1000 ? (len - HEAD) / WORD : 1000;
    for (size_t word = 0; word < words; word++) {
        for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
            check_word(run, bytes, len, word, &whole[i]);
        for (size_t i = 0; i < sizeof real / sizeof *real; i++)
            check_word(run, bytes, len, word, &real[i]);
    }
    wsk_text_free(bytes);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_number_may_be_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
