/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of facts, and functions for facts that are computed. Differences between classes of cards follow captures
 * of nvidia-smi's output (smi.h names them); docs/smi.md, "Values that a twin lacks", lists the facts that a twin
 * cannot know. */
#include "cli/smi/facts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/calendar.h"

#define SAY(...) snprintf(out, WSK_SMI_TEXT, __VA_ARGS__)

void wsk_smi_date(int64_t utc_ns, char out[WSK_SMI_TEXT])
{
    static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const wsk_date d = wsk_date_of(utc_ns / WSK_NS);
    SAY("%s %s %2d %02d:%02d:%02d %d", days[d.weekday], months[d.month - 1], d.day, d.second / 3600,
        d.second / 60 % 60, d.second % 60, d.year);
}

static void put_stamp(int64_t utc_ns, char out[WSK_SMI_TEXT])
{
    const wsk_date d = wsk_date_of(utc_ns / WSK_NS);
    SAY("%d/%02d/%02d %02d:%02d:%02d.%03d", d.year, d.month, d.day, d.second / 3600, d.second / 60 % 60,
        d.second % 60, (int)(utc_ns / 1000000 % 1000));
}

void wsk_smi_cuda(const wsk_twin_moment *moment, char out[WSK_SMI_TEXT])
{
    SAY("%d.%d", moment->cuda / 1000, moment->cuda % 1000 / 10);
}

static void make_driver(const wsk_smi_card *c, char *out)
{
    SAY("%s", c->moment->driver);
}

static void make_count(const wsk_smi_card *c, char *out)
{
    SAY("%d", c->attached);
}

static void make_persistence(const wsk_smi_card *c, char *out)
{
    SAY("%s", c->card->now.persistence ? "Enabled" : "Disabled");
}

/* HMM (heterogeneous memory management), which captures of drivers 595 and 610 show */
static void make_addressing(const wsk_smi_card *c, char *out)
{
    SAY("%s", c->dialect >= 595 ? "HMM" : "None");
}

static void make_index(const wsk_smi_card *c, char *out)
{
    SAY("%d", c->index);
}

static void make_gsp_mode(const wsk_smi_card *c, char *out)
{
    SAY("%s", wsk_smi_has_gsp(c) ? "Enabled" : "Disabled");
}

/* subclass of the PCI device; 0: VGA, 2: 3D controller without outputs */
static void make_subclass(const wsk_smi_card *c, char *out)
{
    SAY("%s", c->card->fixed.display ? "0x0" : "0x2");
}

static void put_mib(char *out, int64_t bytes)
{
    SAY("%lld", (long long)((bytes + (1 << 19)) >> 20));
}

static void make_date(const wsk_smi_card *c, char *out)
{
    wsk_smi_date(c->moment->utc_ns, out);
}

static void make_stamp(const wsk_smi_card *c, char *out)
{
    put_stamp(c->moment->utc_ns, out);
}

static void make_driver_old(const wsk_smi_card *c, char *out)
{
    SAY("%s%s", c->moment->driver,
        c->dialect >= 610 ? " [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]" : "");
}

static void make_cuda(const wsk_smi_card *c, char *out)
{
    wsk_smi_cuda(c->moment, out);
}

static void make_cuda_old(const wsk_smi_card *c, char *out)
{
    char version[WSK_SMI_TEXT];
    wsk_smi_cuda(c->moment, version);
    SAY("%.16s%s", version,
        c->dialect >= 610 ? " [Deprecated; will be removed in CUDA 14.0. Use CUDA UMD Version instead]" : "");
}

static void make_brand(const wsk_smi_card *c, char *out)
{
    static const char *const names[] = {
        [WSK_BRAND_GEFORCE] = "GeForce", [WSK_BRAND_RTX] = "NVIDIA RTX", [WSK_BRAND_NVIDIA] = "NVIDIA",
        [WSK_BRAND_OTHER] = "Unknown",   [WSK_BRAND_TITAN] = "Titan",    [WSK_BRAND_QUADRO_RTX] = "Quadro RTX",
        [WSK_BRAND_TESLA] = "Tesla"};
    const int brand = c->card->fixed.brand;
    SAY("%s", brand >= 0 && brand < (int)(sizeof names / sizeof *names) ? names[brand] : "Unknown");
}

static void make_architecture(const wsk_smi_card *c, char *out)
{
    static const char *const names[] = {
        [WSK_ARCH_KEPLER] = "Kepler",    [WSK_ARCH_MAXWELL] = "Maxwell", [WSK_ARCH_PASCAL] = "Pascal",
        [WSK_ARCH_VOLTA] = "Volta",      [WSK_ARCH_TURING] = "Turing",   [WSK_ARCH_AMPERE] = "Ampere",
        [WSK_ARCH_ADA] = "Ada Lovelace", [WSK_ARCH_HOPPER] = "Hopper",   [WSK_ARCH_BLACKWELL] = "Blackwell"};
    if (c->card->fixed.arch >= WSK_ARCH_KEPLER && c->card->fixed.arch <= WSK_ARCH_BLACKWELL)
        SAY("%s", names[c->card->fixed.arch]);
}

static void make_pdi(const wsk_smi_card *c, char *out)
{
    const char *uuid = c->card->fixed.uuid;
    SAY("0x%016llx", (unsigned long long)wsk_hash_more(WSK_HASH_EMPTY, uuid, strlen(uuid)));
}

static void make_board_id(const wsk_smi_card *c, char *out)
{
    SAY("0x%x", (unsigned)c->card->fixed.bus << 8 | (unsigned)c->card->fixed.device);
}

static void make_image(const wsk_smi_card *c, char *out)
{
    if (c->identity && c->identity->inforom)
        SAY("%s", c->identity->inforom);
}

/* Version of the OEM object of the InfoROM, as captures of these classes of cards show it. */
static void make_oem(const wsk_smi_card *c, char *out)
{
    if (c->card->fixed.arch == WSK_ARCH_TURING)
        SAY("1.1");
    else if (c->card->fixed.arch == WSK_ARCH_AMPERE || (c->card->fixed.arch == WSK_ARCH_ADA && !wsk_smi_has_ecc(c)))
        SAY("2.0");
    else if (c->card->fixed.arch == WSK_ARCH_ADA || c->card->fixed.arch == WSK_ARCH_HOPPER)
        SAY("2.1");
}

static void make_ecc_object(const wsk_smi_card *c, char *out)
{
    if (c->card->fixed.arch == WSK_ARCH_TURING)
        SAY("5.0");
    else if (c->card->fixed.arch == WSK_ARCH_AMPERE || c->card->fixed.arch == WSK_ARCH_ADA)
        SAY("6.16");
    else if (c->card->fixed.arch == WSK_ARCH_HOPPER)
        SAY("7.16");
}

static void make_compute_cap(const wsk_smi_card *c, char *out)
{
    if (c->card->fixed.cc_major)
        SAY("%d.%d", c->card->fixed.cc_major, c->card->fixed.cc_minor);
}

static void make_bus(const wsk_smi_card *c, char *out)
{
    SAY("0x%02X", (unsigned)c->card->fixed.bus);
}

static void make_device(const wsk_smi_card *c, char *out)
{
    SAY("0x%02X", (unsigned)c->card->fixed.device);
}

static void make_domain(const wsk_smi_card *c, char *out)
{
    SAY("0x%04X", (unsigned)c->card->fixed.domain);
}

static void make_device_id(const wsk_smi_card *c, char *out)
{
    SAY("0x%08X", (unsigned)c->card->fixed.pci_id);
}

static void make_subsystem(const wsk_smi_card *c, char *out)
{
    SAY("0x%08X", (unsigned)c->card->fixed.pci_subsystem_id);
}

static void make_host_gen(const wsk_smi_card *c, char *out)
{
    if (!wsk_smi_has_ecc(c) && c->card->fixed.pcie_gen > 0)
        SAY("%d", c->card->fixed.pcie_gen);
}

static void put_lanes(char *out, int32_t lanes, const char *unit)
{
    if (lanes > 0)
        SAY("%d%s", lanes, unit);
}

static void make_width_max(const wsk_smi_card *c, char *out)
{
    put_lanes(out, c->card->fixed.pcie_lanes, "x");
}

static void make_width(const wsk_smi_card *c, char *out)
{
    put_lanes(out, c->card->now.pcie_lanes_now, "x");
}

static void make_fan(const wsk_smi_card *c, char *out)
{
    if (c->card->fixed.fans > 0 && c->card->now.fan_percent[0] >= 0)
        SAY("%d", c->card->now.fan_percent[0]);
}

static void make_pstate(const wsk_smi_card *c, char *out)
{
    if (c->card->now.pstate >= 0)
        SAY("P%d", c->card->now.pstate);
}

static void make_reasons(const wsk_smi_card *c, char *out)
{
    SAY("0x%016llX", (unsigned long long)c->card->now.reasons);
}

static void make_free(const wsk_smi_card *c, char *out)
{
    if (c->card->fixed.memory_bytes > 0)
        put_mib(out, c->card->fixed.memory_bytes - c->card->now.memory_used_bytes);
}

static void make_ecc_mode(const wsk_smi_card *c, char *out)
{
    SAY("%s", c->card->fixed.ecc ? "Enabled" : "Disabled");
}

/* Largest value of the histogram of remapped rows, in memory banks: half the bits of the memory bus, rounded up to a
 * multiple of 512 for HBM, else of 32. The captures of H100 (2560), H200 (3072), L40S (192) and RTX 4000 SFF Ada (96)
 * follow this rule. */
static void make_banks_max(const wsk_smi_card *c, char *out)
{
    const int bits = c->card->fixed.bus_bits, step = wsk_smi_has_hbm(c) ? 512 : 32;
    if (bits > 0)
        SAY("%d", (bits / 2 + step - 1) / step * step);
}

static void put_difference(char *out, int32_t a, int32_t b)
{
    if (a != WSK_TWIN_NONE && b != WSK_TWIN_NONE)
        SAY("%d", a - b);
}

static void make_temp_limit(const wsk_smi_card *c, char *out)
{
    put_difference(out, c->card->fixed.target_c, c->card->now.die_c);
}

static void make_shutdown_limit(const wsk_smi_card *c, char *out)
{
    put_difference(out, c->card->fixed.target_c, c->card->fixed.shutdown_c);
}

static void make_slowdown_limit(const wsk_smi_card *c, char *out)
{
    put_difference(out, c->card->fixed.target_c, c->card->fixed.slowdown_c);
}

static void put_watts(char *out, int32_t mw)
{
    if (mw != WSK_TWIN_NONE)
        SAY("%d.%02d", mw / 1000, mw % 1000 / 10);
}

typedef enum { SAID, TEXT, INT, WATT, MIB, MICROS, REASON, MAKE } kind;
typedef struct {
    kind kind;
    const char *text; /* SAID: the text */
    size_t at;        /* TEXT to MICROS: offset of the member in wsk_twin_card */
    const char *unit;
    void (*make)(const wsk_smi_card *card, char *out);
    bool (*when)(const wsk_smi_card *card); /* whether a card has this fact; NULL: all cards have it */
    unsigned bit;                           /* REASON: bit of the throttle reason */
} row;

/* clang-format off */
#define S(...) {.kind = SAID, .text = __VA_ARGS__}
#define V(how, member, ...) {.kind = how, .at = offsetof(wsk_twin_card, member), __VA_ARGS__}
#define M(...) {.kind = MAKE, .make = __VA_ARGS__}
#define R(which) {.kind = REASON, .bit = WSK_REASON_##which}
static const row rows[WSK_SMI_FACTS] = {
    [F_NA] = S(""), [F_EMPTY] = S(""), [F_DEPRECATED] = S("Requested functionality has been deprecated"),
    [F_NO] = S("No"), [F_YES] = S("Yes"), [F_NONE] = S("None"), [F_ZERO] = S("0"), [F_ONE] = S("1"),
    [F_ZERO_MIB] = S("0", .unit = "MiB"), [F_ZERO_US] = S("0", .unit = "us"), [F_ZERO_PERCENT] = S("0", .unit = "%"),
    [F_ENABLED] = S("Enabled"), [F_DISABLED] = S("Disabled"), [F_DEFAULT] = S("Default"),
    [F_NOT_ACTIVE] = S("Not Active"), [F_VALID] = S("valid"), [F_ACCOUNTED] = S("4000"),
    [F_DIRECT] = S("Direct Connected"), [F_GUID] = S("0x0000000000000000"), [F_NO_EGM] = S("disabled"),
    [F_DATE] = M(make_date), [F_STAMP] = M(make_stamp), [F_DRIVER] = M(make_driver), [F_DRIVER_OLD] = M(make_driver_old),
    [F_CUDA] = M(make_cuda), [F_CUDA_OLD] = M(make_cuda_old), [F_COUNT] = M(make_count),
    [F_NAME] = V(TEXT, fixed.name, .unit = ""), [F_BRAND] = M(make_brand), [F_ARCHITECTURE] = M(make_architecture),
    [F_PERSISTENCE] = M(make_persistence), [F_ADDRESSING] = M(make_addressing),
    [F_MIG] = S("Disabled", .when = wsk_smi_can_mig), [F_SERIAL] = V(TEXT, fixed.serial, .when = wsk_smi_has_ecc),
    [F_UUID] = V(TEXT, fixed.uuid, .unit = ""), [F_PDI] = M(make_pdi), [F_INDEX] = M(make_index), [F_MINOR] = V(INT, fixed.minor, .unit = ""),
    [F_VBIOS] = V(TEXT, fixed.vbios, .unit = ""), [F_BOARD_ID] = M(make_board_id), [F_BOARD_PART] = V(TEXT, fixed.board_part, .unit = ""),
    [F_GPU_PART] = V(TEXT, fixed.gpu_part, .unit = ""), [F_IMAGE] = M(make_image), [F_OEM] = M(make_oem),
    [F_ECC_OBJECT] = M(make_ecc_object, .when = wsk_smi_has_ecc), [F_C2C] = S("Disabled", .when = wsk_smi_is_hopper),
    [F_GSP] = M(make_driver, .when = wsk_smi_has_gsp), [F_GSP_MODE] = M(make_gsp_mode),
    [F_SPARSE] = S("Disabled", .when = wsk_smi_is_hopper), [F_COMPUTE_CAP] = M(make_compute_cap),
    [F_EDPP] = S("100.00%", .when = wsk_smi_is_hopper), [F_EDPP_PERCENT] = S("100.00", .unit = "%", .when = wsk_smi_is_hopper),
    [F_BUS] = M(make_bus), [F_DEVICE] = M(make_device), [F_DOMAIN] = M(make_domain), [F_SUBCLASS] = M(make_subclass),
    [F_BASECLASS] = S("0x3"), [F_DEVICE_ID] = M(make_device_id), [F_BUS_ID] = V(TEXT, fixed.bus_id, .unit = ""),
    [F_SUBSYSTEM] = M(make_subsystem), [F_GEN_MAX] = V(INT, fixed.pcie_gen, .unit = ""), [F_GEN] = V(INT, now.pcie_gen_now, .unit = ""),
    [F_GEN_HOST] = M(make_host_gen), [F_WIDTH_MAX] = M(make_width_max), [F_WIDTH] = M(make_width),
    [F_LANES_MAX] = V(INT, fixed.pcie_lanes, .unit = ""), [F_LANES] = V(INT, now.pcie_lanes_now, .unit = ""),
    [F_TX] = V(INT, now.pcie_tx_kbs, .unit = "KB/s"), [F_RX] = V(INT, now.pcie_rx_kbs, .unit = "KB/s"),
    [F_FAN] = M(make_fan, .unit = "%"), [F_PSTATE] = M(make_pstate), [F_REASONS_SUPPORTED] = S("0x00000000000001FF"),
    [F_REASONS] = M(make_reasons), [F_REASON_IDLE] = R(IDLE), [F_REASON_SETTING] = R(CLOCK_SETTING),
    [F_REASON_POWER] = R(POWER_CAP), [F_REASON_SLOWDOWN] = R(HW_SLOWDOWN), [F_REASON_HW_THERMAL] = R(HW_THERMAL),
    [F_REASON_BRAKE] = R(HW_BRAKE), [F_REASON_SW_THERMAL] = R(SW_THERMAL),
    [F_HELD_POWER] = V(MICROS, now.held_power_ns, .unit = "us"), [F_HELD_THERMAL] = V(MICROS, now.held_thermal_ns, .unit = "us"),
    [F_HELD_HW_THERMAL] = V(MICROS, now.held_hw_thermal_ns, .unit = "us"), [F_HELD_BRAKE] = V(MICROS, now.held_brake_ns, .unit = "us"),
    [F_MEMORY_TOTAL] = V(MIB, fixed.memory_bytes, .unit = "MiB"), [F_MEMORY_USED] = V(MIB, now.memory_used_bytes, .unit = "MiB"),
    [F_MEMORY_FREE] = M(make_free, .unit = "MiB"), [F_BAR1_TOTAL] = V(MIB, fixed.bar1_bytes, .unit = "MiB"),
    [F_UTIL_GPU] = V(INT, now.gpu_percent, .unit = "%"), [F_UTIL_MEMORY] = V(INT, now.memory_percent, .unit = "%"),
    [F_UTIL_ENCODER] = V(INT, now.encoder_percent, .unit = "%"), [F_UTIL_DECODER] = V(INT, now.decoder_percent, .unit = "%"),
    [F_ECC_MODE] = M(make_ecc_mode, .when = wsk_smi_has_ecc), [F_ECC_COUNT] = S("0", .when = wsk_smi_ecc_on),
    [F_ECC_SPLIT] = S("0", .when = wsk_smi_split_ecc), [F_ECC_SPLIT_FLAG] = S("No", .when = wsk_smi_split_ecc),
    [F_ECC_FLAG] = S("No", .when = wsk_smi_ecc_on), [F_UNREPAIRABLE] = S("No", .when = wsk_smi_is_hopper),
    [F_RETIRED] = S("0", .when = wsk_smi_retires_pages), [F_RETIRED_PENDING] = S("No", .when = wsk_smi_retires_pages),
    [F_REMAPPED] = S("0", .when = wsk_smi_remaps_rows), [F_REMAPPED_FLAG] = S("No", .when = wsk_smi_remaps_rows),
    [F_BANKS_MAX] = M(make_banks_max, .unit = "bank(s)", .when = wsk_smi_remaps_rows),
    [F_BANKS] = S("0", .unit = "bank(s)", .when = wsk_smi_remaps_rows), [F_TEMP] = V(INT, now.die_c, .unit = "C"),
    [F_TEMP_LIMIT] = M(make_temp_limit, .unit = "C", .when = wsk_smi_by_margin),
    [F_SHUTDOWN] = V(INT, fixed.shutdown_c, .unit = "C"), [F_SLOWDOWN] = V(INT, fixed.slowdown_c, .unit = "C"),
    [F_SHUTDOWN_LIMIT] = M(make_shutdown_limit, .unit = "C"), [F_SLOWDOWN_LIMIT] = M(make_slowdown_limit, .unit = "C"),
    [F_OPERATING_LIMIT] = S("0", .unit = "C"), [F_TARGET] = V(INT, fixed.target_c, .unit = "C", .when = wsk_smi_ecc_not_on),
    [F_MEMORY_TEMP] = V(INT, now.memory_c, .unit = "C", .when = wsk_smi_has_hbm),
    [F_MEMORY_MAX] = V(INT, fixed.memory_max_c, .unit = "C", .when = wsk_smi_has_hbm),
    [F_MEMORY_LIMIT] = S("0", .unit = "C", .when = wsk_smi_has_hbm), [F_POWER] = V(WATT, now.power_mw, .unit = "W"),
    [F_POWER_MEAN] = V(WATT, now.power_mean_mw, .unit = "W", .when = wsk_smi_tells_mean),
    [F_POWER_INSTANT] = V(WATT, now.power_instant_mw, .unit = "W"), [F_LIMIT] = V(WATT, now.limit_mw, .unit = "W"),
    [F_LIMIT_ENFORCED] = V(WATT, now.enforced_limit_mw, .unit = "W"), [F_LIMIT_DEFAULT] = V(WATT, fixed.limit_default_mw, .unit = "W"),
    [F_LIMIT_MIN] = V(WATT, fixed.limit_min_mw, .unit = "W"), [F_LIMIT_MAX] = V(WATT, fixed.limit_max_mw, .unit = "W"),
    [F_CLOCK] = V(INT, now.clock_mhz, .unit = "MHz"), [F_CLOCK_MEMORY] = V(INT, now.memory_clock_mhz, .unit = "MHz"),
    [F_CLOCK_VIDEO] = V(INT, now.video_clock_mhz, .unit = "MHz"), [F_CLOCK_MAX] = V(INT, fixed.clock_max_mhz, .unit = "MHz"),
    [F_CLOCK_MEMORY_MAX] = V(INT, fixed.memory_clock_max_mhz, .unit = "MHz"),
    [F_CLOCK_BOOST_MAX] = V(INT, fixed.clock_max_mhz, .unit = "MHz", .when = wsk_smi_ecc_on),
    [F_FABRIC_STATE] = S("Completed", .when = wsk_smi_is_module), [F_FABRIC_STATUS] = S("Success", .when = wsk_smi_is_module),
    [F_FABRIC_CLIQUE] = S("0", .when = wsk_smi_is_module),
    [F_FABRIC_CLUSTER] = S("00000000-0000-0000-0000-000000000000", .when = wsk_smi_is_module),
};
/* clang-format on */

static int32_t whole_at(const wsk_smi_card *c, size_t at)
{
    int32_t value;
    memcpy(&value, (const char *)c->card + at, sizeof value);
    return value;
}

static int64_t wide_at(const wsk_smi_card *c, size_t at)
{
    int64_t value;
    memcpy(&value, (const char *)c->card + at, sizeof value);
    return value;
}

void wsk_smi_tell(const wsk_smi_card *c, wsk_smi_fact fact, wsk_smi_value *v)
{
    const row *r = &rows[fact];
    char *out = v->text;
    v->unit = r->unit ? r->unit : "";
    out[0] = '\0';
    if (r->when && !r->when(c))
        return;
    switch (r->kind) {
    case SAID: SAY("%s", r->text); break;
    case TEXT: SAY("%s", (const char *)c->card + r->at); break;
    case INT:
        if (whole_at(c, r->at) != WSK_TWIN_NONE)
            SAY("%d", whole_at(c, r->at));
        break;
    case WATT: put_watts(out, whole_at(c, r->at)); break;
    case MIB: put_mib(out, wide_at(c, r->at)); break;
    case MICROS: SAY("%lld", (long long)(wide_at(c, r->at) / 1000)); break;
    case REASON: SAY("%s", c->card->now.reasons & r->bit ? "Active" : "Not Active"); break;
    case MAKE: r->make(c, out); break;
    }
}
