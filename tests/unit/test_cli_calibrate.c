/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises by its product name that a log is of another card than the part that is calibrated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/calibrate/calibrate.h"
#include "twin/identity.h"

typedef struct {
    const char *name, *part;
} pair;

static void same_cards(void **state)
{
    (void)state;
    static const pair same[] = {{"NVIDIA GeForce RTX 4090", "gpu/rtx-4090-blower"},
                                {"GeForce RTX 2080 Ti", "gpu/rtx-2080-ti"},
                                {"GeForce RTX 2080 SUPER", "gpu/rtx-2080-super"},
                                {"NVIDIA H100 80GB HBM3", "gpu/h100-sxm"},
                                {"NVIDIA H100 PCIe MIG 1g.10gb", "gpu/h100-pcie"},
                                {"NVIDIA A100-SXM4-40GB", "gpu/a100-sxm"},
                                {"Tesla V100-SXM2-16GB", "gpu/v100-sxm2"},
                                {"Tesla P100-PCIE-12GB", "gpu/p100-pcie"},
                                {"NVIDIA GeForce RTX 3060 12GB", "gpu/rtx-3060"},
                                {"Radeon RX Vega", "gpu/vega-64"},
                                {"AMD Radeon RX 7900 XT/XTX", "gpu/rx-7900-xt"},
                                {"AMD Radeon Graphics", "gpu/rx-7900-xt"},
                                {"AMD Instinct MI300X OAM", "gpu/mi300x"},
                                {"NVIDIA GeForce RTX 4090", "gpu/rtx-4090-gpu0"},
                                {"NVIDIA GeForce RTX 4090", "gpu/generic"},
                                {"NVIDIA GeForce RTX 4090", "gpu/left-12"},
                                {"gpu1", "gpu/rtx-4090"},
                                {"GeForce RTX 4070Ti", "gpu/rtx-4070-ti"},
                                {"AMD Radeon RX 7900XTX", "gpu/rx-7900-xtx"},
                                {"rig 2 card 30", "gpu/rtx-4090"},
                                {"", "gpu/rtx-4090"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (wsk_cli_is_other_card(same[i].name, same[i].part))
            fail_msg("%s is taken for another card than %s", same[i].name, same[i].part);
}

static void other_cards(void **state)
{
    (void)state;
    static const pair others[] = {{"NVIDIA GeForce GTX 1080", "gpu/rtx-2080"},
                                  {"NVIDIA GeForce GTX 1080", "gpu/h100-pcie"},
                                  {"NVIDIA GeForce GTX 1080", "gpu/gtx-1080-ti"},
                                  {"NVIDIA GeForce RTX 4070 Ti SUPER", "gpu/rtx-4070-ti"},
                                  {"NVIDIA GeForce RTX 4090 Laptop GPU", "gpu/rtx-4090"},
                                  {"NVIDIA L40", "gpu/l40s"},
                                  {"NVIDIA A100-PCIE-40GB", "gpu/a100-sxm"},
                                  {"AMD Radeon RX 7900 XTX", "gpu/rx-7900-xt"},
                                  {"AMD Radeon RX 7900XTX", "gpu/rx-7900-xt"},
                                  {"GeForce GTX 1080Ti", "gpu/gtx-1080"},
                                  {"AMD Instinct MI210", "gpu/rtx-4090"},
                                  {"NVIDIA GeForce RTX 3090", "gpu/vega-64"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!wsk_cli_is_other_card(others[i].name, others[i].part))
            fail_msg("%s is taken for %s", others[i].name, others[i].part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_cards), cmocka_unit_test(other_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
