/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of nvidia-smi --query-gpu=... --format=csv[,noheader][,nounits], as `nvidia-smi --help-query-gpu` names
 * them. */
#include "sim/log/log.h"

static const wsk_log_name names[] = {{"timestamp", WSK_LOG_TIME, 0, NULL},
                                     {"index", WSK_LOG_INDEX, 0, NULL},
                                     {"gpuindex", WSK_LOG_INDEX, 0, NULL},
                                     {"pcibusid", WSK_LOG_BUS, 0, NULL},
                                     {"gpubusid", WSK_LOG_BUS, 0, NULL},
                                     {"uuid", WSK_LOG_HIDDEN, 0, NULL},
                                     {"gpuuuid", WSK_LOG_HIDDEN, 0, NULL},
                                     {"serial", WSK_LOG_HIDDEN, 1, NULL},
                                     {"gpuserial", WSK_LOG_HIDDEN, 1, NULL},
                                     {"name", WSK_LOG_NAME, 0, NULL},
                                     {"gpuname", WSK_LOG_NAME, 0, NULL},
                                     {"powerdraw", WSK_LOG_POWER, 0, NULL},
                                     {"powerdrawaverage", WSK_LOG_POWER, 1, NULL},
                                     {"powerdrawinstant", WSK_LOG_POWER, 2, NULL},
                                     {"enforcedpowerlimit", WSK_LOG_LIMIT, 0, NULL},
                                     {"powerlimit", WSK_LOG_LIMIT, 1, NULL},
                                     {"utilizationgpu", WSK_LOG_UTILISATION, 0, NULL},
                                     {"utilizationmemory", WSK_LOG_MEMORY_UTILISATION, 0, NULL},
                                     {"clockscurrentsm", WSK_LOG_CLOCK, 0, NULL},
                                     {"clockssm", WSK_LOG_CLOCK, 0, NULL},
                                     {"clockscurrentgraphics", WSK_LOG_CLOCK, 1, NULL},
                                     {"clocksgr", WSK_LOG_CLOCK, 1, NULL},
                                     {"clockscurrentmemory", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     {"clocksmem", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     {"temperaturegpu", WSK_LOG_DIE, 0, NULL},
                                     {"temperaturememory", WSK_LOG_MEMORY, 0, NULL},
                                     {"fanspeed", WSK_LOG_FAN, 0, NULL},
                                     {"fanspeed", WSK_LOG_FAN_SPEED, 0, NULL},
                                     {"fanspeedrpm", WSK_LOG_FAN_SPEED, 0, NULL},
                                     {"fanrpm", WSK_LOG_FAN_SPEED, 0, NULL},
                                     {NULL, 0, 0, NULL}};
const wsk_log_table wsk_log_smi = {.format = "nvidia-smi --query-gpu", .names = names};
