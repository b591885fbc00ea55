/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of `wattsink smi dmon` and `pmon`, versions and supported clocks. */
#include "tests/support/smi.h"

/* Layout: a public capture of `nvidia-smi pmon -c 1 -s um`. */
static void processes_by_columns(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code;
    char *text = SMI_SAYS(m, &code, "pmon", "-s", "um", "-c", "1");
    assert_int_equal(code, 0);
    assert_string_equal(
        text, "# gpu         pid   type     sm    mem    enc    dec    jpg    ofa     fb   ccpm    command \n"
              "# Idx           #    C/G      %      %      %      %      %      %     MB     MB    name \n"
              "    0    4194400     C     97      -      -      -      -      -   4096      0    training       \n");
    free(text);
    text = SMI_SAYS(m, &code, "pmon", "-s", "m", "-c", "1");
    assert_int_equal(code, 0);
    assert_string_equal(text, "# gpu         pid   type     fb   ccpm    command \n"
                              "# Idx           #    C/G     MB     MB    name \n"
                              "    0    4194400     C   4096      0    training       \n");
    free(text);
    m->card[0].now.process[0].pid = 0;
    text = SMI_SAYS(m, &code, "pmon", "-s", "m", "-c", "1");
    check_line(text, "\n    0          -     -      -      -    -              \n");
    free(text);
    text = SMI_SAYS(m, &code, "pmon", "-s", "up", "-c", "1");
    assert_int_equal(code, 2);
    assert_string_equal(text, "");
    free(text);
    free(m);
}

/* Layout: public captures of drivers of 2026, with -s pucvmet -o DT, -o T, and -s mu. */
static void columns_of_cards(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/h100-sxm");
    int code;
    char *text = SMI_SAYS(m, &code, "dmon", "-s", "pucvmet", "-o", "DT", "-c", "1");
    assert_int_equal(code, 0);
    check_line(
        text, "#Date        Time         gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   "
              "pclk  pviol  tviol     fb   bar1   ccpm  sbecc  dbecc    pci  rxpci  txpci \n");
    check_line(
        text,
        "#YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %      %      %      %      %    MHz    "
        "MHz      %   bool     MB     MB     MB   errs   errs   errs   MB/s   MB/s \n");
    check_line(text, " 20261123    12:00:00       0    251     61     71     97     41 ");
    check_line(text, "   2600   1725    100      0   5000      0      0      0      0      0      7      5 \n");
    free(text);
    m->card[0].fixed.ecc = 0;
    m->card[0].now.reasons = WSK_REASON_SW_THERMAL;
    text = SMI_SAYS(m, &code, "dmon", "-s", "ev", "-o", "T", "-c", "1"); /* in the order of the letters */
    assert_string_equal(text, "#Time         gpu  sbecc  dbecc    pci  pviol  tviol \n"
                              "#HH:MM:SS     Idx   errs   errs   errs      %   bool \n"
                              " 12:00:00       0      -      -      0      0      1 \n");
    free(text);
    text = SMI_SAYS(m, &code, "dmon", "-s", "m", "-o", "D", "-c", "1");
    check_line(text, "\n 20261123       0   5000      0      0 \n");
    free(text);
    free(m);
}

static void versions_and_clocks(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code;
    char *text = SMI_SAYS(m, &code, "--version");
    assert_int_equal(code, 0);
    assert_string_equal(text, "NVIDIA-SMI version  : 590.48.01\nNVML version        : 590.48\n"
                              "DRIVER version      : 590.48.01\nCUDA Version        : 13.1\n");
    free(text);
    m->card[0].fixed.clock_min_mhz = 1950;
    text = SMI_SAYS(m, &code, "--query-supported-clocks=gr,mem", "--format=csv");
    assert_int_equal(code, 0);
    assert_string_equal(text, "graphics [MHz], memory [MHz]\n1980 MHz, 2619 MHz\n1965 MHz, 2619 MHz\n"
                              "1950 MHz, 2619 MHz\n");
    free(text);
    text = SMI_SAYS(m, &code, "--query-supported-clocks=gpu_bus_id,graphics", "--format=csv,noheader,nounits");
    assert_int_equal(strncmp(text, "00000000:01:00.0, 1980\n", 23), 0);
    free(text);
    assert_int_equal(CODE_OF(m, "--query-supported-clocks=sm", "--format=csv"), 2);
    assert_int_equal(CODE_OF(m, "--query-supported-clocks=gr"), 2);
    m->card[0].fixed.clock_step_mhz = 0; /* a card that does not tell its clocks */
    text = SMI_SAYS(m, &code, "--query-supported-clocks=gr", "--format=csv,noheader");
    assert_string_equal(text, "");
    free(text);
    m->card[0].now.lost = 1;
    text = SMI_SAYS(m, &code, "--query-supported-clocks=gr", "--format=csv,noheader");
    assert_int_equal(code, 15);
    free(text);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_by_columns),
        cmocka_unit_test(columns_of_cards),
        cmocka_unit_test(versions_and_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
