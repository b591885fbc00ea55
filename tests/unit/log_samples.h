/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A short log of each format that wsk_log_read knows, and a text that is none. */
#ifndef WSK_TESTS_LOG_SAMPLES_H
#define WSK_TESTS_LOG_SAMPLES_H
#include <stddef.h>

static const char *const log_samples[] = {
    "2026-11-22T12:00:00+01:00\n{\"card0\": {\"Temperature (Sensor edge) (C)\": \"55.0\", \"Average Graphics Package "
    "Power (W)\": \"240.0\"}, \"card1\": {\"Average Graphics Package Power (W)\": \"N/A\"}}\n{\"card0\": {\"Temp\n"
    "2026-11-22T12:00:02+01:00\n{\"card0\": {\"Average Graphics Package Power (W)\": \"241.5\"}}\n",
    "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n"
    "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz\n"
    " 20261122   23:59:59      0    301     61      -    100     40   9501   1710\n"
    " 20261122   23:59:59      1     35     40      -      0      1    405    210\n 20261123   00:00:01      1     "
    "36\n",
    "GPU 1     36.5\n#Entity   POWER     TMPTR   MMTMP   SMCLK   GPUTL\nID\nGPU 1     36.5      41      N/A     210  "
    "   0\n",
    "Timestamp                                 : Sun Nov 22 12:00:01 2026\nGPU 00000000:01:00.0\n    Temperature\n"
    "        GPU Current Temp                  : 61 C\n    GPU Power Readings\n"
    "        Instantaneous Power Draw          : 249.00 W\n",
    "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Sun Nov 22 12:00:01 2026</timestamp>\n"
    "<gpu id=\"00000000:01:00.0\">\n<gpu_power_readings><power_draw>200.00 W</power_draw></gpu_power_readings>\n"
    "</gpu>\n</nvidia_smi_log>\n",
    "# TYPE DCGM_FI_DEV_GPU_TEMP gauge\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-a\"} 50 1795348800000\n"
    "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\"} 300.5 1795348800000\n",
    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
    "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"1\"},\"values\":[[1795348800,\"300.5\"],7]}]}}",
    "nvidia_smi,host=a,index=0 power_draw=101.5,temperature_gpu=50i 1700000000000000000\n"
    "nvidia_smi,host=a,index=0 power_draw=102.5,temperature_gpu=51i 1700000010000000000\n",
    "[{\"timestamp\": 1769014607, \"gpu\": 0, \"power_usage\": {\"value\": 250, \"unit\": \"W\"}}]\n",
    "Date;Time;\"GPU Power [W]\";\"GPU Power [W]\"\r\n22.11.2026;12:00:00.100;301,25;200,5\r\n",
    "t_s,gpu0.power_w,gpu1.power_w\n0,100,101\n1,102,103\nx,1,1\n",
    "timestamp, index, name, power.draw [W], utilization.gpu [%], temperature.gpu, fan.speed [%]\n"
    "2026/11/14 10:00:00.019, 0, \"NVIDIA, one\", 19.06 W, 0 %, 30, 34 %\n"
    "2026/11/14 10:00:00.030, 1, \"NVIDIA, one\", [N/A], 0 %, 31, [Not Supported]\n"
    "2026/11/14 10:00:10.026, 0, \"NVIDIA, one\", 20.53 W, 5 %, 30, 34 %\n",
    "        Date        , GPU Clock [MHz] , GPU Temperature [\xB0"
    "C] , Fan Speed (%) [%] , Board Power Draw [W] ,\r\n"
    "2026-11-22 12:00:00 , 2610.0          , 61.5                  , 45                , 301.2                ,\r\n"
    "2026-11-22 12:00:02 , 2595.0          , 62.5                  , 46                , 299.8                ,\r\n",
    "{\"card0\": {\"Fan Speed (%)\": \"45\", \"Average Graphics Package Power (W)\": \"222.0\"}}\n"
    "{\"card0\": {\"Fan Speed (%)\": \"46\", \"Average Graphics Package Power (W)\": \"223.0\"}}\n",
    "[{\"timestamp\": 1769014607, \"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 98, \"unit\": \"%\"}}, "
    "\"power\": {\"socket_power\": {\"value\": 250, \"unit\": \"W\"}}, \"mem\": \"N/A\"},\n{\"timestamp\": "
    "1769014607, "
    "\"gpu\": 1, \"power\": {\"socket_power\": {\"value\": 150, \"unit\": \"W\"}}}]\n",
    "#Entity   POWER     TMPTR   MMTMP   SMCLK   GPUTL\nID\nGPU 1     36.5      41      N/A     210     0\n"
    "GPU 0     301.25    61      78      1710    98\n",
    "2026-11-14T10:00:00\n    Instantaneous power reading:                    71 Watts\n"
    "    IPMI timestamp:                           Thu Jan  1 00:00:00 1970\n"
    "    Power reading state is:                   activated\n\n2026-11-14T10:00:10\n"
    "    Instantaneous power reading:                    73 Watts\n"
    "    IPMI timestamp:                           Thu Jan  1 00:00:00 1970\n"
    "    Power reading state is:                   activated\n",
    "tele/rig/SENSOR {\"Time\":\"2026-11-22T12:00:00\",\"ENERGY\":{\"Total\":1.2,\"Power\":345}}\n"
    "tele/rig/SENSOR {\"Time\":\"2026-11-22T12:00:10\",\"ENERGY\":{\"Total\":1.2,\"Power\":346}}\n",
    "no log\n"};
#define WSK_LOG_SAMPLE_COUNT (sizeof log_samples / sizeof *log_samples)

#endif
