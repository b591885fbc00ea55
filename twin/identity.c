/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/identity.h"

#include <stdio.h>
#include <string.h>

#define GEFORCE WSK_BOARD_GEFORCE
#define TITAN WSK_BOARD_TITAN
#define QUADRO WSK_BOARD_QUADRO
#define WORK WSK_BOARD_WORKSTATION
#define TESLA WSK_BOARD_TESLA
#define DATA WSK_BOARD_DATACENTRE
#define MINING WSK_BOARD_MINING
#define CARD(id, text, device, sub, kind, generation, cc, cuda, bits, mib, bar1) \
    .part = "gpu/" id, .name = text, .pci_device = device, .subsystem = sub, .board = kind, \
    .arch = WSK_ARCH_##generation, .compute = cc, .cores = cuda, .bus_bits = bits, .memory_mib = mib, \
    .bar1_mib = bar1

/* clang-format off */
static const wsk_identity table[] = {
    {CARD("gtx-770", "NVIDIA GeForce GTX 770", 0x1184, 0, GEFORCE, KEPLER, 30, 1536, 256, 0, 256)},
    {CARD("k80", "Tesla K80", 0x102d, 0, TESLA, KEPLER, 37, 4992, 768, 0, 0)},
    {CARD("gtx-980", "NVIDIA GeForce GTX 980", 0x13c0, 0, GEFORCE, MAXWELL, 52, 2048, 256, 0, 256)},
    {CARD("m40-24gb", "Tesla M40 24GB", 0x17fd, 0, TESLA, MAXWELL, 52, 3072, 384, 0, 0)},
    {CARD("gtx-1060-6gb", "NVIDIA GeForce GTX 1060 6GB", 0x1c03, 0, GEFORCE, PASCAL, 61, 1280, 192, 6144, 256)},
    {CARD("gtx-1070", "NVIDIA GeForce GTX 1070", 0x1b81, 0, GEFORCE, PASCAL, 61, 1920, 256, 8192, 256)},
    {CARD("gtx-1080", "NVIDIA GeForce GTX 1080", 0x1b80, 0, GEFORCE, PASCAL, 61, 2560, 256, 8192, 256)},
    {CARD("gtx-1080-ti", "NVIDIA GeForce GTX 1080 Ti", 0x1b06, 0, GEFORCE, PASCAL, 61, 3584, 352, 11264, 256)},
    {CARD("titan-xp", "NVIDIA TITAN Xp", 0x1b02, 0, TITAN, PASCAL, 61, 3840, 384, 12288, 256)},
    {CARD("p4", "Tesla P4", 0x1bb3, 0, TESLA, PASCAL, 61, 2560, 256, 7680, 0)},
    {CARD("p40", "Tesla P40", 0x1b38, 0, TESLA, PASCAL, 61, 3840, 384, 24576, 0)},
    {CARD("p100-pcie", "Tesla P100-PCIE-16GB", 0x15f8, 0, TESLA, PASCAL, 60, 3584, 4096, 16384, 0)},
    {CARD("titan-v", "NVIDIA TITAN V", 0x1d81, 0, TITAN, VOLTA, 70, 5120, 3072, 12288, 256)},
    {CARD("v100-pcie", "Tesla V100-PCIE-32GB", 0x1db6, 0, TESLA, VOLTA, 70, 5120, 4096, 32768, 0)},
    {CARD("v100s-pcie", "Tesla V100S-PCIE-32GB", 0x1df6, 0, TESLA, VOLTA, 70, 5120, 4096, 32768, 0)},
    {CARD("v100-sxm2", "Tesla V100-SXM2-32GB", 0x1db5, 0, TESLA, VOLTA, 70, 5120, 4096, 32768, 0)},
    {CARD("gtx-1660-super", "NVIDIA GeForce GTX 1660 SUPER", 0x21c4, 0, GEFORCE, TURING, 75, 1408, 192, 6144, 256)},
    {CARD("gtx-1660-ti", "NVIDIA GeForce GTX 1660 Ti", 0x2182, 0, GEFORCE, TURING, 75, 1536, 192, 6144, 256)},
    {CARD("rtx-2060", "NVIDIA GeForce RTX 2060", 0x1f08, 0, GEFORCE, TURING, 75, 1920, 192, 6144, 256)},
    {CARD("rtx-2060-12gb", "NVIDIA GeForce RTX 2060", 0x1f03, 0, GEFORCE, TURING, 75, 2176, 192, 12288, 256)},
    {CARD("rtx-2060-super", "NVIDIA GeForce RTX 2060 SUPER", 0x1f06, 0, GEFORCE, TURING, 75, 2176, 256, 8192, 256)},
    {CARD("rtx-2070", "NVIDIA GeForce RTX 2070", 0x1f02, 0, GEFORCE, TURING, 75, 2304, 256, 8192, 256)},
    {CARD("rtx-2070-super", "NVIDIA GeForce RTX 2070 SUPER", 0x1e84, 0, GEFORCE, TURING, 75, 2560, 256, 8192, 256)},
    {CARD("rtx-2080", "NVIDIA GeForce RTX 2080", 0x1e87, 0, GEFORCE, TURING, 75, 2944, 256, 8192, 256)},
    {CARD("rtx-2080-super", "NVIDIA GeForce RTX 2080 SUPER", 0x1e81, 0, GEFORCE, TURING, 75, 3072, 256, 8192, 256),
     .gpu_part = "1E81-450-A1", .inforom = "G001.0000.02.04"},
    {CARD("rtx-2080-ti", "NVIDIA GeForce RTX 2080 Ti", 0x1e07, 0, GEFORCE, TURING, 75, 4352, 352, 11264, 256)},
    {CARD("titan-rtx", "NVIDIA TITAN RTX", 0x1e02, 0, TITAN, TURING, 75, 4608, 384, 24576, 256)},
    {CARD("quadro-rtx-4000", "Quadro RTX 4000", 0x1eb1, 0, QUADRO, TURING, 75, 2304, 256, 8192, 256)},
    {CARD("quadro-rtx-5000", "Quadro RTX 5000", 0x1eb0, 0, QUADRO, TURING, 75, 3072, 256, 16384, 256)},
    {CARD("quadro-rtx-6000", "Quadro RTX 6000", 0x1e30, 0x12ba10de, QUADRO, TURING, 75, 4608, 384, 0, 256)},
    {CARD("quadro-rtx-6000-passive", "Quadro RTX 6000", 0x1e78, 0x13d910de, QUADRO, TURING, 75, 4608, 384, 0, 256)},
    {CARD("quadro-rtx-8000", "Quadro RTX 8000", 0x1e30, 0x129e10de, QUADRO, TURING, 75, 4608, 384, 0, 256)},
    {CARD("t4", "Tesla T4", 0x1eb8, 0x12a210de, DATA, TURING, 75, 2560, 256, 15360, 256),
     .vbios = "90.04.84.00.06", .board_part = "900-2G183-0000-001", .inforom = "G183.0200.00.02"},
    {CARD("rtx-3050", "NVIDIA GeForce RTX 3050", 0x2507, 0, GEFORCE, AMPERE, 86, 2560, 128, 8192, 0)},
    {CARD("rtx-3060", "NVIDIA GeForce RTX 3060", 0x2503, 0, GEFORCE, AMPERE, 86, 3584, 192, 12288, 0)},
    {CARD("rtx-3060-ti", "NVIDIA GeForce RTX 3060 Ti", 0x2486, 0, GEFORCE, AMPERE, 86, 4864, 256, 8192, 0)},
    {CARD("rtx-3070", "NVIDIA GeForce RTX 3070", 0x2484, 0, GEFORCE, AMPERE, 86, 5888, 256, 8192, 0)},
    {CARD("rtx-3070-ti", "NVIDIA GeForce RTX 3070 Ti", 0x2482, 0, GEFORCE, AMPERE, 86, 6144, 256, 8192, 0)},
    {CARD("rtx-3080", "NVIDIA GeForce RTX 3080", 0x2206, 0x146710de, GEFORCE, AMPERE, 86, 8704, 320, 10240, 0)},
    {CARD("rtx-3080-12gb", "NVIDIA GeForce RTX 3080", 0x220a, 0, GEFORCE, AMPERE, 86, 8960, 384, 12288, 0)},
    {CARD("rtx-3080-ti", "NVIDIA GeForce RTX 3080 Ti", 0x2208, 0, GEFORCE, AMPERE, 86, 10240, 384, 12288, 0)},
    {CARD("rtx-3090", "NVIDIA GeForce RTX 3090", 0x2204, 0, GEFORCE, AMPERE, 86, 10496, 384, 24576, 0)},
    {CARD("rtx-3090-fe", "NVIDIA GeForce RTX 3090", 0x2204, 0x147d10de, GEFORCE, AMPERE, 86, 10496, 384, 24576, 0)},
    {CARD("rtx-3090-ti", "NVIDIA GeForce RTX 3090 Ti", 0x2203, 0, GEFORCE, AMPERE, 86, 10752, 384, 24564, 0)},
    {CARD("rtx-a400", "NVIDIA RTX A400", 0x25b2, 0x187910de, WORK, AMPERE, 86, 768, 64, 4094, 0)},
    {CARD("rtx-a2000-12gb", "NVIDIA RTX A2000 12GB", 0x2571, 0x161110de, WORK, AMPERE, 86, 3328, 192, 12282, 0)},
    {CARD("rtx-a4000", "NVIDIA RTX A4000", 0x24b0, 0x14ad10de, WORK, AMPERE, 86, 6144, 256, 16376, 0)},
    {CARD("rtx-a4500", "NVIDIA RTX A4500", 0x2232, 0x163c10de, WORK, AMPERE, 86, 7168, 320, 20470, 0)},
    {CARD("rtx-a5000", "NVIDIA RTX A5000", 0x2231, 0x147e10de, WORK, AMPERE, 86, 8192, 384, 24564, 0)},
    {CARD("rtx-a5500", "NVIDIA RTX A5500", 0x2233, 0x165a10de, WORK, AMPERE, 86, 10240, 384, 24564, 0)},
    {CARD("rtx-a6000", "NVIDIA RTX A6000", 0x2230, 0x145910de, WORK, AMPERE, 86, 10752, 384, 49140, 0)},
    {CARD("a2", "NVIDIA A2", 0x25b6, 0x157e10de, DATA, AMPERE, 86, 1280, 128, 15356, 0)},
    {CARD("a10", "NVIDIA A10", 0x2236, 0x148210de, DATA, AMPERE, 86, 9216, 384, 23028, 0)},
    {CARD("a16", "NVIDIA A16", 0x25b6, 0x14a910de, DATA, AMPERE, 86, 5120, 512, 0, 0)},
    {CARD("a30", "NVIDIA A30", 0x20b7, 0x153210de, DATA, AMPERE, 80, 3584, 3072, 24576, 0)},
    {CARD("a40", "NVIDIA A40", 0x2235, 0x145a10de, DATA, AMPERE, 86, 10752, 384, 46068, 0)},
    {CARD("a100-pcie-40gb", "NVIDIA A100-PCIE-40GB", 0x20f1, 0x145f10de, DATA, AMPERE, 80, 6912, 5120, 40960, 0)},
    {CARD("a100-pcie-80gb", "NVIDIA A100 80GB PCIe", 0x20b5, 0x153310de, DATA, AMPERE, 80, 6912, 5120, 81920, 0)},
    {CARD("a100-sxm", "NVIDIA A100-SXM4-80GB", 0x20b2, 0x147f10de, DATA, AMPERE, 80, 6912, 5120, 81920, 0),
     .vbios = "92.00.36.00.02", .board_part = "692-2G506-0212-002", .gpu_part = "20B2-895-A1", .inforom = "G506.0212.00.01"},
    {CARD("cmp-170hx", "NVIDIA Graphics Device", 0x20c2, 0x158510de, MINING, AMPERE, 80, 4480, 4096, 8192, 64)},
    {CARD("rtx-4060", "NVIDIA GeForce RTX 4060", 0x2882, 0, GEFORCE, ADA, 89, 3072, 128, 8188, 0)},
    {CARD("rtx-4060-ti-16gb", "NVIDIA GeForce RTX 4060 Ti", 0x2805, 0, GEFORCE, ADA, 89, 4352, 128, 16380, 0)},
    {CARD("rtx-4070", "NVIDIA GeForce RTX 4070", 0x2786, 0, GEFORCE, ADA, 89, 5888, 192, 12282, 0)},
    {CARD("rtx-4070-super", "NVIDIA GeForce RTX 4070 SUPER", 0x2783, 0, GEFORCE, ADA, 89, 7168, 192, 12282, 0)},
    {CARD("rtx-4070-ti", "NVIDIA GeForce RTX 4070 Ti", 0x2782, 0, GEFORCE, ADA, 89, 7680, 192, 12282, 0)},
    {CARD("rtx-4070-ti-super", "NVIDIA GeForce RTX 4070 Ti SUPER", 0x2705, 0, GEFORCE, ADA, 89, 8448, 256, 16376, 0)},
    {CARD("rtx-4080", "NVIDIA GeForce RTX 4080", 0x2704, 0, GEFORCE, ADA, 89, 9728, 256, 16376, 0)},
    {CARD("rtx-4080-super", "NVIDIA GeForce RTX 4080 SUPER", 0x2702, 0, GEFORCE, ADA, 89, 10240, 256, 16376, 0),
     .gpu_part = "2702-400-A1", .inforom = "G002.0000.00.03"},
    {CARD("rtx-4090", "NVIDIA GeForce RTX 4090", 0x2684, 0, GEFORCE, ADA, 89, 16384, 384, 24564, 0)},
    {CARD("rtx-2000-ada", "NVIDIA RTX 2000 Ada Generation", 0x28b0, 0x187010de, WORK, ADA, 89, 2816, 128, 16380, 0)},
    {CARD("rtx-4000-ada", "NVIDIA RTX 4000 Ada Generation", 0x27b2, 0x181b10de, WORK, ADA, 89, 6144, 160, 20475, 0)},
    {CARD("rtx-4500-ada", "NVIDIA RTX 4500 Ada Generation", 0x27b1, 0x180c10de, WORK, ADA, 89, 7680, 192, 24570, 0)},
    {CARD("rtx-5000-ada", "NVIDIA RTX 5000 Ada Generation", 0x26b2, 0x17fa10de, WORK, ADA, 89, 12800, 256, 32760, 0)},
    {CARD("rtx-6000-ada", "NVIDIA RTX 6000 Ada Generation", 0x26b1, 0x16a110de, WORK, ADA, 89, 18176, 384, 49140, 0)},
    {CARD("l4", "NVIDIA L4", 0x27b8, 0x16ca10de, DATA, ADA, 89, 7424, 192, 23034, 0)},
    {CARD("l20", "NVIDIA L20", 0x26ba, 0x195710de, DATA, ADA, 89, 11776, 384, 46068, 0)},
    {CARD("l40", "NVIDIA L40", 0x26b5, 0x169d10de, DATA, ADA, 89, 18176, 384, 46068, 0)},
    {CARD("l40s", "NVIDIA L40S", 0x26b9, 0x185110de, DATA, ADA, 89, 18176, 384, 46068, 0),
     .vbios = "95.02.66.00.02", .board_part = "900-2G133-0080-000", .gpu_part = "26B9-896-A1", .inforom = "G133.0242.00.03"},
    {CARD("h100-pcie", "NVIDIA H100 PCIe", 0x2331, 0x162610de, DATA, HOPPER, 90, 14592, 5120, 81559, 0)},
    {CARD("h100-nvl", "NVIDIA H100 NVL", 0x2321, 0x183910de, DATA, HOPPER, 90, 16896, 6016, 95830, 0)},
    {CARD("h100-sxm", "NVIDIA H100 80GB HBM3", 0x2330, 0x16c110de, DATA, HOPPER, 90, 16896, 5120, 81559, 0),
     .vbios = "96.00.A5.00.01", .board_part = "692-2G520-0200-000", .gpu_part = "2330-885-A1", .inforom = "G520.0200.00.05"},
    {CARD("h800-sxm", "NVIDIA H800", 0x2324, 0x17a610de, DATA, HOPPER, 90, 16896, 5120, 81559, 0)},
    {CARD("h20", "NVIDIA H20", 0x2329, 0x198b10de, DATA, HOPPER, 90, 9984, 6144, 97871, 0)},
    {CARD("h200-nvl", "NVIDIA H200 NVL", 0x233b, 0, DATA, HOPPER, 90, 16896, 6016, 143771, 0)},
    {CARD("h200-sxm", "NVIDIA H200", 0x2335, 0x18be10de, DATA, HOPPER, 90, 16896, 6016, 143771, 0),
     .vbios = "96.00.A5.00.03", .board_part = "695-2G520-0280-001", .gpu_part = "2335-895-A1", .inforom = "G520.0280.02.02"},
    {CARD("gh200", "NVIDIA GH200 480GB", 0x2342, 0x180910de, DATA, HOPPER, 90, 16896, 6144, 97871, 0)},
    {CARD("rtx-5050", "NVIDIA GeForce RTX 5050", 0x2d83, 0, GEFORCE, BLACKWELL, 120, 2560, 128, 0, 0)},
    {CARD("rtx-5060", "NVIDIA GeForce RTX 5060", 0x2d05, 0, GEFORCE, BLACKWELL, 120, 3840, 128, 8151, 0)},
    {CARD("rtx-5060-ti-8gb", "NVIDIA GeForce RTX 5060 Ti", 0x2d04, 0, GEFORCE, BLACKWELL, 120, 4608, 128, 8151, 0)},
    {CARD("rtx-5060-ti-16gb", "NVIDIA GeForce RTX 5060 Ti", 0x2d04, 0, GEFORCE, BLACKWELL, 120, 4608, 128, 16311, 0)},
    {CARD("rtx-5070", "NVIDIA GeForce RTX 5070", 0x2f04, 0, GEFORCE, BLACKWELL, 120, 6144, 192, 12227, 0)},
    {CARD("rtx-5070-ti", "NVIDIA GeForce RTX 5070 Ti", 0x2c05, 0, GEFORCE, BLACKWELL, 120, 8960, 256, 16303, 0)},
    {CARD("rtx-5080", "NVIDIA GeForce RTX 5080", 0x2c02, 0, GEFORCE, BLACKWELL, 120, 10752, 256, 16303, 0)},
    {CARD("rtx-5090", "NVIDIA GeForce RTX 5090", 0x2b85, 0, GEFORCE, BLACKWELL, 120, 21760, 512, 32607, 0)},
    {CARD("rtx-pro-4000", "NVIDIA RTX PRO 4000 Blackwell", 0x2c34, 0x205210de, WORK, BLACKWELL, 120, 8960, 192, 24467,
          0)},
    {CARD("rtx-pro-4500", "NVIDIA RTX PRO 4500 Blackwell", 0x2c31, 0x205110de, WORK, BLACKWELL, 120, 10496, 256, 32623,
          0)},
    {CARD("rtx-pro-5000", "NVIDIA RTX PRO 5000 Blackwell", 0x2bb3, 0x204d10de, WORK, BLACKWELL, 120, 14080, 384, 48935,
          0)},
    {CARD("rtx-pro-5000-72gb", "NVIDIA RTX PRO 5000 72GB Blackwell", 0x2bb3, 0x227a10de, WORK, BLACKWELL, 120, 14080, 384,
          73415, 0)},
    {CARD("rtx-pro-6000-maxq", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 0x2bb4, 0x204c10de, WORK,
          BLACKWELL, 120, 24064, 512, 97887, 0)},
    {CARD("rtx-pro-6000-ws", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 0x2bb1, 0x204b10de, WORK, BLACKWELL,
          120, 24064, 512, 97887, 0)},
    {CARD("rtx-pro-6000-server", "NVIDIA RTX PRO 6000 Blackwell Server Edition", 0x2bb5, 0x204e10de, DATA, BLACKWELL,
          120, 24064, 512, 97887, 0)},
    {CARD("gb10", "NVIDIA GB10", 0x2e12, 0, DATA, BLACKWELL, 121, 6144, 256, 0, 0)},
    {CARD("b200", "NVIDIA B200", 0x2901, 0x199910de, DATA, BLACKWELL, 100, 18944, 8192, 183359, 0)},
    {CARD("gb200", "NVIDIA GB200", 0x2941, 0x204610de, DATA, BLACKWELL, 100, 19456, 8192, 189471, 0)},
    {CARD("b300", "NVIDIA B300 SXM6 AC", 0x3182, 0x20e610de, DATA, BLACKWELL, 103, 18944, 8192, 275040, 0)},
    {CARD("gb300", "NVIDIA GB300", 0x31c2, 0x21f110de, DATA, BLACKWELL, 103, 19456, 8192, 284208, 0)},
    /* The catalogue's generic card has the name that drivers show for an unknown card. */
    {.part = "gpu/generic", .name = "NVIDIA Graphics Device", .board = WSK_BOARD_GEFORCE},
};
/* clang-format on */

/* Endings of the ids by which the catalogue distinguishes variants of one card. */
static const char *const endings[] = {"-open-air", "-blower", "-duct"};

static const wsk_identity *find(const char *part, size_t len)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].part) == len && strncmp(table[i].part, part, len) == 0)
            return &table[i];
    return NULL;
}

const wsk_identity *wsk_twin_identity(const char *part)
{
    const size_t len = part ? strlen(part) : 0;
    const wsk_identity *found = part ? find(part, len) : NULL;
    for (size_t e = 0; part && !found && e < sizeof endings / sizeof *endings; e++) {
        const size_t end = strlen(endings[e]);
        if (len > end && strcmp(part + len - end, endings[e]) == 0)
            found = find(part, len - end);
    }
    return found;
}

/* Serial numbers on the labels of data centre cards have thirteen digits. */
static void make_serial(wsk_twin_fixed *card)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *c = card->uuid; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    snprintf(card->serial, sizeof card->serial, "1%012llu", (unsigned long long)(hash % 1000000000000U));
}

static int64_t bar1_mib(const wsk_identity *row, int64_t memory_mib)
{
    int64_t mib = 256;
    while (!row->bar1_mib && mib < memory_mib)
        mib *= 2;
    return row->bar1_mib ? row->bar1_mib : mib;
}

bool wsk_twin_identify(wsk_twin_fixed *card)
{
    static const wsk_twin_brand brands[] = {
        [WSK_BOARD_GEFORCE] = WSK_BRAND_GEFORCE,   [WSK_BOARD_TITAN] = WSK_BRAND_TITAN,
        [WSK_BOARD_QUADRO] = WSK_BRAND_QUADRO_RTX, [WSK_BOARD_WORKSTATION] = WSK_BRAND_RTX,
        [WSK_BOARD_TESLA] = WSK_BRAND_TESLA,       [WSK_BOARD_DATACENTRE] = WSK_BRAND_NVIDIA,
        [WSK_BOARD_MINING] = WSK_BRAND_OTHER};
    const int64_t mib = 1 << 20;
    const wsk_identity *row = wsk_twin_identity(card->part);
    if (!row)
        return false;
    card->nvidia = 1;
    snprintf(card->name, sizeof card->name, "%s", row->name);
    snprintf(card->vbios, sizeof card->vbios, "%s", row->vbios ? row->vbios : "");
    snprintf(card->board_part, sizeof card->board_part, "%s", row->board_part ? row->board_part : "");
    snprintf(card->gpu_part, sizeof card->gpu_part, "%s", row->gpu_part ? row->gpu_part : "");
    card->brand = row->pci_device ? (int32_t)brands[row->board] : WSK_BRAND_OTHER;
    card->arch = (int32_t)row->arch;
    card->pci_id = row->pci_device ? (uint32_t)row->pci_device << 16 | 0x10de : 0;
    card->pci_subsystem_id = row->subsystem;
    card->cc_major = row->compute / 10;
    card->cc_minor = row->compute % 10;
    card->cores = row->cores;
    card->bus_bits = row->bus_bits;
    card->ecc = row->board == WSK_BOARD_TESLA || row->board == WSK_BOARD_DATACENTRE;
    card->ecc_off = row->board == WSK_BOARD_QUADRO || row->board == WSK_BOARD_WORKSTATION;
    card->display = row->board < WSK_BOARD_TESLA;
    if (row->memory_mib)
        card->memory_bytes = row->memory_mib * mib;
    card->bar1_bytes = bar1_mib(row, card->memory_bytes / mib) * mib;
    card->serial[0] = '\0';
    if (card->ecc || card->ecc_off)
        make_serial(card);
    return true;
}
