/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"

static const double span_s = 600;

typedef struct {
    char *state, *summary, *series, *events;
    size_t len;
} outcome;

static void append(char **to, const char *more)
{
    wsk_buf b = {0};
    if (*to)
        wsk_buf_put(&b, *to, strlen(*to));
    wsk_buf_put(&b, more, strlen(more) + 1);
    assert_false(b.failed);
    wsk_text_free(*to);
    *to = b.data;
}

static void take_events(wsk_run *run, outcome *o)
{
    char *lines = NULL;
    assert_int_equal(wsk_run_events_csv(run, true, &lines), WSK_OK);
    append(&o->events, lines);
    wsk_text_free(lines);
}

static void finish(wsk_run *run, outcome *o)
{
    take_events(run, o);
    o->state = wsk_test_save(run, &o->len);
    o->summary = wsk_test_summary(run);
    assert_int_equal(wsk_run_series_csv(run, &o->series), WSK_OK);
}

static void drop(outcome *o)
{
    wsk_text_free(o->state);
    wsk_text_free(o->summary);
    wsk_text_free(o->series);
    wsk_text_free(o->events);
}

static void assert_same_outcome(const outcome *a, const outcome *b, uint64_t seed, const char *what)
{
    if (strcmp(a->summary, b->summary) != 0)
        fail_msg("seed %llu, %s: another summary\n%s\n%s", (unsigned long long)seed, what, a->summary, b->summary);
    if (strcmp(a->series, b->series) != 0)
        fail_msg("seed %llu, %s: another series", (unsigned long long)seed, what);
    if (strcmp(a->events, b->events) != 0)
        fail_msg("seed %llu, %s: other events\n%s\n%s", (unsigned long long)seed, what, a->events, b->events);
    if (a->len != b->len || memcmp(a->state, b->state, a->len) != 0)
        fail_msg("seed %llu, %s: another state", (unsigned long long)seed, what);
}

/* The state stays NULL if a part leaves the model's range, as the memory of one in hundreds of random rigs does. */
static outcome try_plain(const wsk_rig *rig, wsk_stepper stepper)
{
    outcome o = {0};
    wsk_run *run = wsk_test_run(rig, stepper, span_s);
    if (wsk_test_try(run, span_s))
        finish(run, &o);
    wsk_run_free(run);
    return o;
}

static outcome plain(const wsk_rig *rig, wsk_stepper stepper)
{
    outcome o = try_plain(rig, stepper);
    assert_non_null(o.state);
    return o;
}

static wsk_stepper stepper_of(uint64_t seed)
{
    return seed % 4 ? WSK_STEPPER_FAST : WSK_STEPPER_REFERENCE;
}

static void test_order_of_elements(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(40, 8); seed++) {
        outcome first = {0};
        for (uint64_t shuffle = 0; shuffle < 4; shuffle++) {
            wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .shuffle = shuffle});
            outcome o = plain(rig, stepper_of(seed));
            if (shuffle) {
                assert_same_outcome(&first, &o, seed, "elements in another order");
                drop(&o);
            } else {
                first = o;
            }
            wsk_rig_free(rig);
        }
        drop(&first);
    }
}

/* Identical cards exchange their ids: the results belong to the slot, whatever the id. */
static void test_swapped_cards(void **state)
{
    (void)state;
    int swapped = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 10); seed++) {
        wsk_random_rig_spec spec = {.seed = seed, .least_cards = 2, .identical = true, .rotate = 1};
        wsk_rig *one = wsk_test_random(&spec);
        spec.rotate = 2 + seed % 2;
        wsk_rig *two = wsk_test_random(&spec);
        wsk_run *a = wsk_test_run(one, stepper_of(seed), span_s), *b = wsk_test_run(two, stepper_of(seed), span_s);
        wsk_test_advance(a, span_s);
        wsk_test_advance(b, span_s);
        assert_int_equal(a->net->n_node, b->net->n_node);
        assert_memory_equal(a->t, b->t, (size_t)a->net->n_node * sizeof *a->t);
        assert_memory_equal(a->cards, b->cards, (size_t)a->net->n_card * sizeof *a->cards);
        assert_memory_equal(&a->books->ledger, &b->books->ledger, sizeof a->books->ledger);
        for (int i = 0; i < a->net->n_card; i++)
            swapped += strcmp(a->net->cards[i].id, b->net->cards[i].id) != 0;
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(one);
        wsk_rig_free(two);
    }
    assert_true(swapped > 0);
}

static void look_at_everything(wsk_run *run, outcome *o)
{
    char *text = NULL;
    size_t len;
    wsk_text_free(wsk_test_summary(run));
    wsk_text_free(wsk_test_save(run, &len));
    assert_int_equal(wsk_run_series_csv(run, &text), WSK_OK);
    wsk_text_free(text);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    wsk_text_free(text);
    for (size_t i = 0; i < wsk_run_variables(run); i++) {
        const char *name, *unit;
        double value, again;
        wsk_run_variable(run, i, &name, &unit, &value);
        again = wsk_test_get(run, name);
        assert_memory_equal(&value, &again, sizeof value);
    }
    take_events(run, o);
}

static void test_observing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(40, 8); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        outcome once = plain(rig, stepper_of(seed)), often = {0}, watched = {0};
        wsk_run *a = wsk_test_run(rig, stepper_of(seed), span_s), *b = wsk_test_run(rig, stepper_of(seed), span_s);
        for (uint64_t k = 0; wsk_run_time(a) < span_s; k++)
            wsk_test_advance(a, wsk_run_time(a) + 20 * wsk_random(seed, 5, k));
        for (uint64_t k = 0; wsk_run_time(b) < span_s; k++) {
            wsk_test_advance(b, wsk_run_time(b) + 200 * wsk_random(seed, 6, k));
            look_at_everything(b, &watched);
        }
        finish(a, &often);
        finish(b, &watched);
        assert_same_outcome(&once, &often, seed, "in small advances");
        assert_same_outcome(&once, &watched, seed, "watched");
        wsk_run_free(a);
        wsk_run_free(b);
        drop(&once);
        drop(&often);
        drop(&watched);
        wsk_rig_free(rig);
    }
}

static void test_sampling_rate(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(30, 6); seed++) {
        char *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = seed});
        assert_non_null(xml);
        static const char *const steps[] = {"run.step=1s", "run.step=10s", "run.step=60s"};
        wsk_run *first = NULL;
        wsk_rig *rigs[3];
        for (int i = 0; i < 3; i++) {
            rigs[i] = wsk_test_rig(xml, steps[i]);
            wsk_run *run = wsk_test_run(rigs[i], WSK_STEPPER_FAST, span_s);
            wsk_test_advance(run, span_s);
            if (i) {
                assert_memory_equal(first->t, run->t, (size_t)run->net->n_node * sizeof *run->t);
                assert_memory_equal(&first->books->ledger, &run->books->ledger, sizeof run->books->ledger);
                assert_memory_equal(first->cards, run->cards, (size_t)run->net->n_card * sizeof *run->cards);
                wsk_run_free(run);
            } else {
                first = run;
            }
        }
        wsk_run_free(first);
        for (int i = 0; i < 3; i++)
            wsk_rig_free(rigs[i]);
        wsk_text_free(xml);
    }
}

static void test_save_and_restore(void **state)
{
    (void)state;
    int failed = 0, dusty = 0, left = 0, cases = wsk_test_cases(80, 25);
    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        outcome whole = try_plain(rig, stepper_of(seed)), parts = {0};
        if (!whole.state) {
            left++;
            wsk_rig_free(rig);
            continue;
        }
        wsk_run *run = wsk_test_run(rig, stepper_of(seed), span_s),
                *spare = wsk_test_run(rig, stepper_of(seed), span_s);
        wsk_test_advance(spare, 300);
        for (uint64_t k = 0; k < 5; k++) {
            wsk_test_advance(run, wsk_run_time(run) + 150 * wsk_random(seed, 8, k));
            take_events(run, &parts);
            size_t len;
            char *saved = wsk_test_save(run, &len);
            assert_int_equal(wsk_run_restore(spare, saved, len), WSK_OK);
            wsk_text_free(saved);
            wsk_run *t = run;
            run = spare;
            spare = t;
            if (k == 2) {
                wsk_run_free(spare);
                spare = wsk_test_run(rig, stepper_of(seed), span_s);
            }
        }
        wsk_test_advance(run, span_s);
        finish(run, &parts);
        assert_same_outcome(&whole, &parts, seed, "saved and restored");
        for (int i = 0; i < run->net->n_mover; i++)
            failed += run->movers[i].failed > 0;
        for (int i = 0; i < run->net->n_case; i++)
            dusty += run->net->cases[i].dust >= 0 &&
                     run->rpm[run->net->cases[i].dust] > run->net->cases[i].params->dust_start;
        wsk_run_free(run);
        wsk_run_free(spare);
        drop(&whole);
        drop(&parts);
        wsk_rig_free(rig);
    }
    assert_true(left <= cases / 100);
    /* Fails if too few rigs had failures or dust, because these would then hardly be tested. */
    if (failed <= cases / 20 || dusty == 0)
        fail_msg("%d failed, %d gathered dust in %d rigs", failed, dusty, cases);
}

static void test_foreign_or_damaged_state_is_refused(void **state)
{
    (void)state;
    wsk_rig *one = wsk_test_random(&(wsk_random_rig_spec){.seed = 3}),
            *two = wsk_test_random(&(wsk_random_rig_spec){.seed = 4});
    wsk_run *a = wsk_test_run(one, WSK_STEPPER_FAST, span_s), *b = wsk_test_run(two, WSK_STEPPER_FAST, span_s);
    wsk_run *c = wsk_test_run(one, WSK_STEPPER_REFERENCE, span_s),
            *d = wsk_test_run(one, WSK_STEPPER_FAST, 2 * span_s);
    char *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = 3});
    assert_non_null(xml);
    /* A rig with the same parts at another altitude, which must refuse the state. */
    wsk_rig *alike = wsk_test_rig(xml, "site.altitude=77m");
    wsk_run *e = wsk_test_run(alike, WSK_STEPPER_FAST, span_s);
    wsk_test_advance(a, 100);
    size_t len;
    char *saved = wsk_test_save(a, &len);
    assert_int_equal(wsk_run_restore(b, saved, len), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(c, saved, len), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(d, saved, len), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(e, saved, len), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(a, saved, len - 1), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(a, saved, 0), WSK_EINPUT);
    for (uint64_t k = 0; k < 200; k++) {
        size_t at = (size_t)(wsk_random(1, 2, k) * (double)len);
        saved[at] = (char)(saved[at] ^ (1 << (k % 8)));
        assert_int_equal(wsk_run_restore(a, saved, len), WSK_EINPUT);
        saved[at] = (char)(saved[at] ^ (1 << (k % 8)));
    }
    assert_true(wsk_run_time(a) == 100);
    assert_int_equal(wsk_run_restore(a, saved, len), WSK_OK);
    wsk_text_free(saved);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_run_free(c);
    wsk_run_free(d);
    wsk_run_free(e);
    wsk_text_free(xml);
    wsk_rig_free(alike);
    wsk_rig_free(one);
    wsk_rig_free(two);
}

typedef struct {
    const wsk_rig *rig;
    wsk_run *run;
    wsk_status status;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    const wsk_run_options o = {.duration_s = span_s, .stepper = WSK_STEPPER_FAST};
    w->status = wsk_run_new(&w->run, w->rig, &o);
    if (w->status == WSK_OK)
        w->status = wsk_run_advance(w->run, span_s);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        outcome alone = plain(rig, WSK_STEPPER_FAST);
        worker workers[4];
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            workers[i] = (worker){.rig = rig};
            assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < 4; i++) {
            outcome o = {0};
            assert_int_equal(workers[i].status, WSK_OK);
            finish(workers[i].run, &o);
            assert_same_outcome(&alone, &o, seed, "beside other threads");
            drop(&o);
            wsk_run_free(workers[i].run);
        }
        drop(&alone);
        wsk_rig_free(rig);
    }
}

static char *spread_in(const char *xml, int threads)
{
    wsk_rig *rig = NULL;
    char *json = NULL;
    const wsk_rig_options o = {.text = xml, .text_len = strlen(xml), .parts_dir = "parts", .threads = threads};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
    wsk_rig_free(rig);
    return json;
}

/* The effects of uncertain inputs do not depend on the number of threads that find them. */
static void test_threads_of_a_study(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(20, 4); seed++) {
        char *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = seed});
        assert_non_null(xml);
        char *alone = spread_in(xml, 0);
        for (int threads = 2; threads <= 9; threads += 7) {
            char *shared = spread_in(xml, threads);
            assert_string_equal(alone, shared);
            wsk_text_free(shared);
        }
        wsk_text_free(alone);
        wsk_text_free(xml);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_elements), cmocka_unit_test(test_swapped_cards),
        cmocka_unit_test(test_observing),         cmocka_unit_test(test_sampling_rate),
        cmocka_unit_test(test_save_and_restore),  cmocka_unit_test(test_foreign_or_damaged_state_is_refused),
        cmocka_unit_test(test_threads),           cmocka_unit_test(test_threads_of_a_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
