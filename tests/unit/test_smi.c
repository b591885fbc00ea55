/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data are made by hand; tests/validate/test_smi_captures.c compares the output of `wattsink smi` with captures. */
#include <math.h>

#include "tests/support/smi.h"
#include "tests/unit/log_text.h"

static wsk_twin_moment *two_cards(void)
{
    wsk_twin_moment *m = smi_moment("590.48.01", 13010);
    smi_card(&m->card[0], "gpu/h100-sxm", 0);
    smi_card(&m->card[1], "gpu/rtx-3090", 1);
    m->count = 2;
    return m;
}

static void check_log(const char *text, const char *format, bool limit)
{
    wsk_log *log = read_log(text, WSK_OK);
    assert_string_equal(wsk_log_format(log), format);
    assert_int_equal(wsk_log_cards(log), 2);
    assert_int_equal(wsk_log_left_out(log), 0);
    for (size_t card = 0; card < 2; card++) {
        assert_near(at(log, card, WSK_LOG_POWER, 0), 251, 0.26); /* dmon prints whole watts and -q hundredths */
        assert_near(at(log, card, WSK_LOG_DIE, 0), 273.15 + 61 + (double)card, 1e-9);
        assert_near(at(log, card, WSK_LOG_CLOCK, 0), 1725e6, 1);
        assert_near(at(log, card, WSK_LOG_MEMORY_CLOCK, 0), 2600e6, 1);
        assert_near(at(log, card, WSK_LOG_UTILISATION, 0), 0.97, 1e-9);
        if (limit)
            assert_near(at(log, card, WSK_LOG_LIMIT, 0), 300, 1e-9);
    }
    /* nvidia-smi shows a memory temperature for HBM, none for GDDR. */
    assert_near(at(log, 0, WSK_LOG_MEMORY, 0), 273.15 + 71, 1e-9);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_MEMORY).count, 0);
    wsk_log_free(log);
}

static void our_readers_read_it(void **state)
{
    (void)state;
    wsk_twin_moment *m = two_cards();
    int code;
    char *text = SMI_SAYS(m, &code,
                          "--query-gpu=timestamp,index,power.draw,temperature.gpu,temperature.memory,clocks.sm,"
                          "clocks.mem,utilization.gpu,enforced.power.limit",
                          "--format=csv");
    assert_int_equal(code, 0);
    check_log(text, "nvidia-smi --query-gpu", true);
    free(text);
    text = SMI_SAYS(m, &code, "dmon", "-o", "DT", "-c", "1");
    assert_int_equal(code, 0);
    check_log(text, "nvidia-smi dmon", false);
    free(text);
    text = SMI_SAYS(m, &code, "-q");
    check_log(text, "nvidia-smi -q", true);
    free(text);
    text = SMI_SAYS(m, &code, "-q", "-x");
    check_log(text, "nvidia-smi -q -x", true);
    free(text);
    free(m);
}

static void lines_are_as_wide_as_the_tables(void **state)
{
    (void)state;
    wsk_twin_moment *m = two_cards();
    int code;
    for (int i = 0; i < 4; i++) {
        m->card[0].now.power_mw = (int32_t[]){9000, 99000, 700000, 1400000}[i];
        m->card[0].now.gpu_percent = (int32_t[]){0, 7, 97, 100}[i];
        m->card[1].now.fan_percent[0] = (int32_t[]){0, 7, 97, 100}[i];
        char *text = SMI_SAYS(m, &code, "-i", "0,1");
        assert_int_equal(code, 0);
        int lines = 0;
        for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
            if (*line != '\n') {
                assert_int_equal(strcspn(line, "\n"), 91);
                lines++;
            }
        assert_int_equal(lines, 7 + 2 * 4 + 5 + 2 + 1);
        free(text);
    }
    free(m);
}

static void cards_are_selected(void **state)
{
    (void)state;
    static const char *const names[] = {"1", "GPU-00000000-0000-8000-8000-000000000001", "00000000:02:00.0",
                                        "0000:02:00.0", "5,1"};
    wsk_twin_moment *m = two_cards();
    int code;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = SMI_SAYS(m, &code, "-L", "-i", names[i]);
        assert_int_equal(code, 0);
        assert_string_equal(text,
                            "GPU 1: NVIDIA GeForce RTX 3090 (UUID: GPU-00000000-0000-8000-8000-000000000001)\n");
        free(text);
    }
    char *text = SMI_SAYS(m, &code, "-L", "-i", "2");
    assert_int_equal(code, 6);
    assert_string_equal(text, "No devices were found\n");
    free(text);
    m->card[0].fixed.nvidia = 0;
    text = SMI_SAYS(m, &code, "-L");
    assert_int_equal(strncmp(text, "GPU 0: NVIDIA GeForce RTX 3090", 30), 0);
    free(text);
    free(m);
}

static void wrong_arguments_and_lost_cards_are_told(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"--query-gpu=nothing", "--format=csv"},
                                           {"--query-gpu=name", "--format=xml"},
                                           {"--query-gpu=", "--format=csv"},
                                           {"--nothing", "-L"},
                                           {"-x", "-L"},
                                           {"-l", "never"},
                                           {"-l", "-1"},
                                           {"-c", "0"}};
    wsk_twin_moment *m = two_cards();
    int code;
    char *text;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char name[32];
        const char *argv[] = {"smi", "--twin", name, wrong[i][0], wrong[i][1]};
        wsk_twin_writer *w;
        snprintf(name, sizeof name, "smi-%ld", (long)getpid());
        assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
        wsk_twin_publish(w, m);
        assert_int_equal(wsk_cli_smi.run(5, (char **)(uintptr_t)argv), 2);
        wsk_twin_close(w);
    }
    m->card[1].now.lost = 1;
    text = SMI_SAYS(m, &code, "--query-gpu=index,power.draw", "--format=csv,noheader");
    assert_int_equal(code, 15);
    assert_string_equal(text, "0, 251.25 W\nUnable to determine the device handle for GPU0000:02:00.0: GPU is lost\n"
                              "[GPU is lost], [GPU is lost]\n");
    free(text);
    text = SMI_SAYS(m, &code, "-L");
    assert_int_equal(code, 15);
    free(text);
    free(m);
}

static void without_a_twin_there_is_no_driver(void **state)
{
    (void)state;
    const char *argv[] = {"smi", "--twin", "nobody-has-this-name", "-L"};
    assert_int_equal(wsk_cli_smi.run(4, (char **)(uintptr_t)argv), 9);
}

static void sections_are_parts_of_the_whole(void **state)
{
    (void)state;
    wsk_twin_moment *m = two_cards();
    int code;
    char *text = SMI_SAYS(m, &code, "-q", "-d", "POWER,clock", "-i", "0");
    assert_int_equal(code, 0);
    assert_non_null(strstr(text, "    GPU Power Readings\n"));
    assert_non_null(strstr(text, "        Current Power Limit                            : 300.00 W\n"));
    assert_non_null(strstr(text, "    Max Clocks\n"));
    assert_null(strstr(text, "Product Name"));
    assert_null(strstr(text, "Temperature"));
    assert_null(strstr(text, "Processes"));
    free(text);
    text = SMI_SAYS(m, &code, "-q", "-d", "SUPPORTED_CLOCKS", "-i", "1");
    assert_non_null(strstr(text, "            Graphics                                   : 1980 MHz\n"));
    assert_non_null(strstr(text, "            Graphics                                   : 210 MHz\n"));
    free(text);
    text = SMI_SAYS(m, &code, "-q", "-d", "NOTHING");
    assert_int_equal(code, 2);
    free(text);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_readers_read_it),
        cmocka_unit_test(lines_are_as_wide_as_the_tables),
        cmocka_unit_test(cards_are_selected),
        cmocka_unit_test(wrong_arguments_and_lost_cards_are_told),
        cmocka_unit_test(without_a_twin_there_is_no_driver),
        cmocka_unit_test(sections_are_parts_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
