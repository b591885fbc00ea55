/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of a card by its class, as captures of nvidia-smi's output show them (smi.h names the captures); also
 * the layout for the driver's version, and the message for a lost card. docs/smi.md lists the classes. */
#include <string.h>

#include "cli/smi/smi.h"
#include "sim/base/base.h"

bool wsk_smi_ecc_on(const wsk_smi_card *c)
{
    return c->card->fixed.ecc;
}

bool wsk_smi_ecc_not_on(const wsk_smi_card *c)
{
    return !c->card->fixed.ecc;
}

bool wsk_smi_has_ecc(const wsk_smi_card *c)
{
    return c->card->fixed.ecc || c->card->fixed.ecc_off;
}

bool wsk_smi_by_margin(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_ADA && wsk_smi_has_ecc(c);
}

bool wsk_smi_split_ecc(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_AMPERE;
}

bool wsk_smi_remaps_rows(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_AMPERE && wsk_smi_has_ecc(c);
}

bool wsk_smi_retires_pages(const wsk_smi_card *c)
{
    return c->card->fixed.arch < WSK_ARCH_AMPERE && wsk_smi_has_ecc(c);
}

bool wsk_smi_is_hopper(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_HOPPER && c->card->fixed.ecc &&
           (c->card->fixed.cc_major == 9 || c->card->fixed.cc_major == 10);
}

bool wsk_smi_is_module(const wsk_smi_card *c)
{
    return wsk_smi_is_hopper(c) && (strstr(c->card->fixed.part, "-sxm") || c->card->fixed.cc_major == 10);
}

bool wsk_smi_has_hbm(const wsk_smi_card *c)
{
    return c->card->fixed.bus_bits >= 1024;
}

static bool is_ga100(const wsk_smi_card *c)
{
    return c->card->fixed.cc_major == 8 && c->card->fixed.cc_minor == 0;
}

bool wsk_smi_can_mig(const wsk_smi_card *c)
{
    return wsk_smi_is_hopper(c) || is_ga100(c);
}

bool wsk_smi_tells_mean(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_AMPERE && !is_ga100(c);
}

bool wsk_smi_has_gsp(const wsk_smi_card *c)
{
    return c->card->fixed.arch >= WSK_ARCH_TURING;
}

int wsk_smi_dialect(const wsk_twin_moment *moment)
{
    const char *end;
    double version;
    if (!wsk_parse_number(moment->driver, &end, &version))
        return 590;
    return version >= 610 ? 610 : version >= 595 ? 595 : 590;
}

int wsk_smi_tell_lost(const wsk_smi *smi, const wsk_smi_card *card)
{
    fflush(smi->out);
    fprintf(smi->out, "Unable to determine the device handle for GPU%s: GPU is lost\n",
            card->card->fixed.bus_id + (strncmp(card->card->fixed.bus_id, "0000", 4) == 0 ? 4 : 0));
    return WSK_SMI_LOST;
}
