/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/base/loud.h"
#include "tests/unit/assert.h"

static void limits(void **state)
{
    (void)state;
    /* In dBA, for a desk (ASR A3.7), a room (EPA 550/9-74-004, 45 indoors) and a server room (2003/10/EC). */
    static const double loud[] = {55, 45, 80}, very[] = {70, 55, 85};
    for (int i = 0; i < WSK_STANDS; i++) {
        assert_true(wsk_loud_at[i].dba == loud[i] && wsk_loud_at[i].very_dba == very[i]);
        assert_false(wsk_loud((wsk_standing)i, loud[i] + 0.4)); /* the level counts as it is printed: rounded */
        assert_true(wsk_loud((wsk_standing)i, loud[i] + 0.6));
        assert_false(wsk_very_loud((wsk_standing)i, very[i]));
        assert_true(wsk_very_loud((wsk_standing)i, very[i] + 1));
        assert_int_equal(wsk_stand_named(wsk_stand_names[i]), i);
    }
    assert_null(wsk_stand_names[WSK_STANDS]);
    assert_int_equal(wsk_stand_named(NULL), WSK_STANDS_DESK);
    assert_int_equal(wsk_stand_named("attic"), WSK_STANDS_DESK);
}

static void changes(void **state)
{
    (void)state;
    for (int i = 0; i < WSK_STANDS; i++) {
        const wsk_standing at = (wsk_standing)i;
        const double limit = wsk_loud_at[i].dba, very = wsk_loud_at[i].very_dba;
        assert_true(wsk_loud_after(at, limit + 2, -1));
        assert_true(wsk_loud_after(at, limit + 2, -1.9));
        assert_false(wsk_loud_after(at, limit + 2, -2));
        assert_false(wsk_loud_after(at, limit, 0.4));
        assert_true(wsk_loud_after(at, limit, 1));
        assert_true(wsk_loud_after(at, limit + 1, NAN));
        assert_true(wsk_loud_spared(at, limit - 5, limit - 9) == 0);
        assert_true(wsk_loud_spared(at, limit + 4, limit + 1) == 3);
        assert_true(wsk_loud_spared(at, limit + 4, limit - 9) == 4);
        assert_true(wsk_loud_spared(at, limit - 9, limit + 4) == -4);
        /* 0 dB, because the machine is very loud before the change and still too loud after it. */
        assert_true(wsk_loud_spared(at, very + 5, limit + 1) == 0);
        assert_true(wsk_loud_spared(at, very + 5, limit) == very - limit);
        assert_true(wsk_loud_spared(at, NAN, NAN) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
