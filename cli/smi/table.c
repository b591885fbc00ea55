/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "cli/smi/smi.h"

static const char line[] =
    "+-----------------------------------------+------------------------+----------------------+\n";
static const char wide[] =
    "+-----------------------------------------------------------------------------------------+\n";
enum { NAME = 27 }; /* longest name of a card that is printed, characters */

static void print_head(const wsk_smi *smi)
{
    char date[WSK_SMI_TEXT], cuda[WSK_SMI_TEXT];
    const char *driver = smi->moment.driver;
    wsk_smi_date(smi->moment.utc_ns, date);
    wsk_smi_cuda(&smi->moment, cuda);
    fprintf(smi->out, "%s       \n%s", date, wide);
    if (wsk_smi_dialect(&smi->moment) >= 610)
        fprintf(smi->out, "| NVIDIA-SMI %-22s KMD Version: %-13s CUDA UMD Version: %-8s |\n", driver, driver, cuda);
    else
        fprintf(smi->out, "| NVIDIA-SMI %-22s Driver Version: %-14s CUDA Version: %-8s |\n", driver, driver, cuda);
    fprintf(smi->out, "%s%s%s%s%s", line,
            "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n",
            "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n",
            "|                                         |                        |               MIG M. |\n",
            "|=========================================+========================+======================|\n");
}

static void with_unit(char out[32], int64_t value, const char *unit)
{
    if (value == WSK_TWIN_NONE)
        snprintf(out, 32, "N/A");
    else
        snprintf(out, 32, "%lld%s", (long long)value, unit);
}

static int64_t watts(int32_t mw)
{
    return mw == WSK_TWIN_NONE ? WSK_TWIN_NONE : mw / 1000;
}

static void print_card(const wsk_smi *smi, const wsk_smi_card *c)
{
    const wsk_twin_fixed *f = &c->card->fixed;
    const wsk_twin_now *n = &c->card->now;
    char name[NAME + 1], fan[32], temp[32], power[32], limit[32], used[32], total[32], busy[32];
    wsk_smi_value mig;
    snprintf(name, sizeof name, strlen(f->name) > NAME ? "%.24s..." : "%.27s", f->name);
    with_unit(fan, f->fans > 0 ? n->fan_percent[0] : WSK_TWIN_NONE, "%");
    with_unit(temp, n->die_c, "C");
    with_unit(power, watts(n->power_mw), "W");
    with_unit(limit, watts(n->enforced_limit_mw), "W");
    with_unit(used, n->memory_used_bytes >> 20, "MiB");
    with_unit(total, f->memory_bytes >> 20, "MiB");
    with_unit(busy, n->gpu_percent, "%");
    wsk_smi_tell(c, F_MIG, &mig);
    fprintf(smi->out, "| %3d  %-27s    %-3s |   %16s %3s | %20s |\n", c->index, name, n->persistence ? "On" : "Off",
            f->bus_id, "Off",
            f->ecc       ? "0"
            : f->ecc_off ? "Off"
                         : "N/A");
    char state[16] = "N/A";
    if (n->pstate >= 0)
        snprintf(state, sizeof state, "P%d", n->pstate);
    fprintf(smi->out, "|%4s%6s    %-3s%15s / %5s | %10s /%10s |%8s%13s |\n", fan, temp, state, power, limit, used,
            total, busy, "Default");
    fprintf(smi->out, "|                                         |                        | %20s |\n%s",
            *mig.text ? mig.text : "N/A", line);
}

static void print_processes(const wsk_smi *smi)
{
    bool any = false;
    fprintf(smi->out, "\n%s%s%s%s%s", wide,
            "| Processes:                                                                              |\n",
            "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |\n",
            "|        ID   ID                                                               Usage      |\n",
            "|=========================================================================================|\n");
    for (int c = 0; c < smi->count; c++)
        for (int p = 0; p < WSK_TWIN_PROCESSES; p++) {
            const wsk_twin_process *process = &smi->card[c].card->now.process[p];
            char memory[32];
            if (!process->pid || smi->card[c].card->now.lost)
                continue;
            any = true;
            with_unit(memory, process->memory_bytes >> 20, "MiB");
            fprintf(smi->out, "|%5d   N/A  N/A%16d%7s   %-35.35s %10s |\n", smi->card[c].index, process->pid, "C",
                    process->name, memory);
        }
    if (!any)
        fputs("|  No running processes found                                                             |\n",
              smi->out);
    fputs(wide, smi->out);
}

int wsk_smi_table(const wsk_smi *smi)
{
    int code = WSK_SMI_OK;
    print_head(smi);
    for (int c = 0; c < smi->count; c++)
        if (smi->card[c].card->now.lost)
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
        else
            print_card(smi, &smi->card[c]);
    print_processes(smi);
    return code;
}

int wsk_smi_list(const wsk_smi *smi)
{
    int code = WSK_SMI_OK;
    for (int c = 0; c < smi->count; c++)
        if (smi->card[c].card->now.lost)
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
        else
            fprintf(smi->out, "GPU %d: %s (UUID: %s)\n", smi->card[c].index, smi->card[c].card->fixed.name,
                    smi->card[c].card->fixed.uuid);
    return code;
}

void wsk_smi_versions(const wsk_smi *smi)
{
    char cuda[WSK_SMI_TEXT];
    const char *driver = smi->moment.driver, *dot = strchr(driver, '.');
    wsk_smi_cuda(&smi->moment, cuda);
    /* NVML's version is that of the driver without its last number. */
    const int len = dot ? (int)(dot - driver + 1 + (ptrdiff_t)strcspn(dot + 1, ".")) : (int)strlen(driver);
    fprintf(smi->out,
            "NVIDIA-SMI version  : %s\nNVML version        : %.*s\nDRIVER version      : %s\n"
            "CUDA Version        : %s\n",
            driver, len, driver, driver, cuda);
}
