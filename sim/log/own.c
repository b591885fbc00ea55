/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the means in the series.csv of a simulated run. Its columns are named owner.variable.mean. As inlet
 * temperature the room's air is read: a card's inlet_c is the air behind chassis fans and neighbours, which a
 * simulation of this log computes itself. */
#include <string.h>

#include "sim/log/log.h"

static const wsk_log_name names[] = {{"ts", WSK_LOG_TIME, 0, NULL},
                                     {"wallw", WSK_LOG_WALL, 0, "W"},
                                     {"powerw", WSK_LOG_POWER, 0, "W"},
                                     {"clockmhz", WSK_LOG_CLOCK, 0, "MHz"},
                                     {"diec", WSK_LOG_DIE, 0, "C"},
                                     {"memoryc", WSK_LOG_MEMORY, 0, "C"},
                                     {"hotspotc", WSK_LOG_HOT_SPOT, 0, "C"},
                                     {"roomairc", WSK_LOG_INLET, 0, "C"},
                                     {"fanrpm", WSK_LOG_FAN_SPEED, 0, "rpm"},
                                     {"workrel", WSK_LOG_WORK, 0, ""},
                                     {NULL, 0, 0, NULL}};

static bool split_name(const char *cell, char card[WSK_LOG_CELL], char name[WSK_LOG_CELL])
{
    const char *last = strrchr(cell, '.'), *dot = NULL;
    if (strcmp(cell, "t_s") == 0) {
        snprintf(name, WSK_LOG_CELL, "%s", cell);
        return true;
    }
    if (!last || strcmp(last, ".mean") != 0)
        return false;
    for (const char *c = cell; c < last; c++)
        if (*c == '.')
            dot = c;
    snprintf(card, WSK_LOG_CELL, "%.*s", dot ? (int)(dot - cell) : 0, cell);
    if (strcmp(card, "room") == 0) {
        snprintf(name, WSK_LOG_CELL, "%.*s", (int)(last - cell), cell);
        card[0] = '\0';
        return true;
    }
    dot = dot ? dot + 1 : cell;
    snprintf(name, WSK_LOG_CELL, "%.*s", (int)(last - dot), dot);
    return true;
}

const wsk_log_table wsk_log_own = {.format = "series.csv", .names = names, .split = split_name, .powered = true};
