/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/catalogue.h"
#include "twin/identity.h"

/* In NVIDIA's papers on the architectures of these cards, a multiprocessor has 64 or 128 cores. */
static void check_cores(const char *id, const wsk_identity *row, double units)
{
    if (isnan(units))
        return;
    const double each = row->cores / units;
    if (fabs(each - 64) > 1e-9 && fabs(each - 128) > 1e-9)
        fail_msg("%s: %d cores in %g multiprocessors", id, row->cores, units);
}

/* Checks bandwidth / (two transfers per memory clock * bus width). The catalogue's data sheets give up to 11 % less
 * for cards whose memory runs below its chips' rating (RTX PRO 6000 Server: 1,597 of 1,792 GB/s). */
static void check_bus(const char *id, const wsk_identity *row, double mhz, double gb_s)
{
    if (isnan(mhz) || isnan(gb_s))
        return;
    within(id, "bandwidth over clock and bus", gb_s * 1e9 / (2 * mhz * 1e6 * row->bus_bits / 8), 0.88, 1.03);
}

static void check_memory(const char *id, const wsk_identity *row, double gb)
{
    /* A card sold as 24 GB has 24 GiB; the driver reports it less the share of ECC and firmware. */
    if (row->memory_mib)
        within(id, "memory told over the data sheet's", row->memory_mib / 1024.0 / gb, 0.93, 1.01);
}

static void check(const char *id)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<rig><chassis card-length='2 m' pitch='100 mm'><psu kind='constant' rated='5 kW' efficiency='94 %%'/>"
             "<gpu part='%s' slot='1'/></chassis><workload/><run for='1 h'/></rig>",
             id);
    wsk_rig *rig = NULL;
    const wsk_elements *all = NULL;
    wsk_rig_options in = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    if (wsk_rig_load(&rig, &in) != WSK_OK)
        fail_msg("%s does not load", id);
    assert_int_equal(wsk_rig_elements(rig, &all), WSK_OK);
    const int at = wsk_elements_next(all, "gpu", -1, -1);
    const char *stack = wsk_elements_text(all, at, "stack"), *name = wsk_elements_text(all, at, "name");
    const wsk_identity *row = wsk_twin_identity(id);
    if (stack && strcmp(stack, "cuda") == 0 && !row)
        fail_msg("%s has no row in twin/identity.c", id);
    if (stack && strcmp(stack, "cuda") != 0 && row)
        fail_msg("%s is no card of NVIDIA's", id);
    if (row && row->pci_device) {
        check_cores(id, row, wsk_elements_number(all, at, "compute-units"));
        check_bus(id, row, wsk_elements_number(all, at, "memory-clock"),
                  wsk_elements_number(all, at, "memory-bandwidth"));
        check_memory(id, row, wsk_elements_number(all, at, "memory"));
        assert_non_null(name);
    }
    wsk_elements_free(all);
    wsk_rig_free(rig);
}

static void each_card_has_its_row(void **state)
{
    (void)state;
    list *parts = parts_of("gpu");
    int known = 0;
    for (int i = 0; i < parts->count; i++) {
        check(parts->ids[i]);
        known += wsk_twin_identity(parts->ids[i]) != NULL;
    }
    assert_true(known >= 90);
    static const char *const others[] = {"gpu/mi300x",   "gpu/rx-7900-xtx",      "gpu/vega-64", "gpu/gaudi3",
                                         "gpu/arc-b580", "gpu/radeon-pro-w7900", "gpu/none",    ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(wsk_twin_identity(others[i]));
    assert_null(wsk_twin_identity(NULL));
    free(parts);
}

/* Values from captures of real cards, which docs/twin-cards.md names. */
static void known_cards(void **state)
{
    (void)state;
    static const struct {
        const char *part, *name;
        uint32_t pci, subsystem;
        int32_t brand, arch, ecc, bar1_mib, memory_mib;
    } cards[] = {
        {"gpu/h100-sxm", "NVIDIA H100 80GB HBM3", 0x233010de, 0x16c110de, WSK_BRAND_NVIDIA, WSK_ARCH_HOPPER, 1,
         131072, 81559},
        {"gpu/h200-sxm", "NVIDIA H200", 0x233510de, 0x18be10de, WSK_BRAND_NVIDIA, WSK_ARCH_HOPPER, 1, 262144, 143771},
        {"gpu/l40s", "NVIDIA L40S", 0x26b910de, 0x185110de, WSK_BRAND_NVIDIA, WSK_ARCH_ADA, 1, 65536, 46068},
        {"gpu/t4", "Tesla T4", 0x1eb810de, 0x12a210de, WSK_BRAND_NVIDIA, WSK_ARCH_TURING, 1, 256, 15360},
        {"gpu/a100-sxm", "NVIDIA A100-SXM4-80GB", 0x20b210de, 0x147f10de, WSK_BRAND_NVIDIA, WSK_ARCH_AMPERE, 1,
         131072, 81920},
        {"gpu/rtx-4080-super", "NVIDIA GeForce RTX 4080 SUPER", 0x270210de, 0, WSK_BRAND_GEFORCE, WSK_ARCH_ADA, 0,
         16384, 16376},
        {"gpu/rtx-2080-super", "NVIDIA GeForce RTX 2080 SUPER", 0x1e8110de, 0, WSK_BRAND_GEFORCE, WSK_ARCH_TURING, 0,
         256, 8192},
        {"gpu/rtx-3090-blower", "NVIDIA GeForce RTX 3090", 0x220410de, 0, WSK_BRAND_GEFORCE, WSK_ARCH_AMPERE, 0,
         32768, 24576},
        {"gpu/rtx-3090-fe", "NVIDIA GeForce RTX 3090", 0x220410de, 0x147d10de, WSK_BRAND_GEFORCE, WSK_ARCH_AMPERE, 0,
         32768, 24576},
        {"gpu/cmp-170hx", "NVIDIA Graphics Device", 0x20c210de, 0x158510de, WSK_BRAND_OTHER, WSK_ARCH_AMPERE, 0, 64,
         8192},
    };
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        wsk_twin_fixed f = {.uuid = "GPU-5f7b4bbc-0001-8002-8003-000000000004"};
        snprintf(f.part, sizeof f.part, "%s", cards[i].part);
        assert_true(wsk_twin_identify(&f));
        assert_int_equal(f.nvidia, 1);
        assert_string_equal(f.name, cards[i].name);
        assert_int_equal(f.pci_id, cards[i].pci);
        assert_int_equal(f.pci_subsystem_id, cards[i].subsystem);
        assert_int_equal(f.brand, cards[i].brand);
        assert_int_equal(f.arch, cards[i].arch);
        assert_int_equal(f.ecc, cards[i].ecc);
        assert_int_equal(f.bar1_bytes >> 20, cards[i].bar1_mib);
        assert_int_equal(f.memory_bytes >> 20, cards[i].memory_mib);
        assert_int_equal(strlen(f.serial), f.ecc ? 13 : 0);
    }
}

static void what_is_not_known_is_not_told(void **state)
{
    (void)state;
    wsk_twin_fixed f = {.part = "gpu/generic", .memory_bytes = (int64_t)24 << 30},
                   unknown = {.part = "gpu/mi300x", .name = "as it was"};
    assert_true(wsk_twin_identify(&f));
    assert_int_equal(f.pci_id, 0);
    assert_int_equal(f.brand, WSK_BRAND_OTHER);
    assert_int_equal(f.cores, 0);
    assert_string_equal(f.vbios, "");
    assert_string_equal(f.serial, "");
    assert_int_equal(f.memory_bytes >> 30, 24);
    assert_false(wsk_twin_identify(&unknown));
    assert_string_equal(unknown.name, "as it was");
    assert_int_equal(unknown.nvidia, 0);
}

static void serials_are_made(void **state)
{
    (void)state;
    wsk_twin_fixed a = {.part = "gpu/h100-sxm", .uuid = "GPU-a"}, b = a,
                   c = {.part = "gpu/h100-sxm", .uuid = "GPU-b"};
    assert_true(wsk_twin_identify(&a) && wsk_twin_identify(&b) && wsk_twin_identify(&c));
    assert_string_equal(a.serial, b.serial);
    assert_string_not_equal(a.serial, c.serial);
    for (const char *d = a.serial; *d; d++)
        assert_true(isdigit((unsigned char)*d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_card_has_its_row),
        cmocka_unit_test(known_cards),
        cmocka_unit_test(what_is_not_known_is_not_told),
        cmocka_unit_test(serials_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
