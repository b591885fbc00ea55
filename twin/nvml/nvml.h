/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the public interface of NVIDIA's management library (NVML), version 13, that the stand-in answers:
 * numbers and layouts that callers rely on. tests/unit/test_twin_nvml.c calls every function; tests/cli/nvml.sh lets
 * real clients read a twin, among them python3-pynvml. */
#ifndef WSK_NVML_H
#define WSK_NVML_H
#include <stdint.h>

typedef enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_OPERATING_SYSTEM = 17,
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
    NVML_ERROR_MEMORY = 20,
    NVML_ERROR_INSUFFICIENT_RESOURCES = 23,
    NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
    NVML_ERROR_DEPRECATED = 26,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlEventSet_st *nvmlEventSet_t;
typedef unsigned long long nvml_u64;

/* First word of a versioned struct: its size in bytes, and its version in the top byte. */
#define NVML_VERSION(type, version) ((unsigned)(sizeof(type) | (unsigned)(version) << 24))

enum { NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO, NVML_CLOCKS };
enum { NVML_CLOCK_CURRENT = 0, NVML_CLOCK_TARGET = 1, NVML_CLOCK_DEFAULT = 2, NVML_CLOCK_BOOST_MAX = 3 };
enum { NVML_BRAND_UNKNOWN = 0, NVML_BRAND_NVIDIA_RTX = 13, NVML_BRAND_NVIDIA = 14, NVML_BRAND_GEFORCE = 5 };
enum { NVML_THRESHOLD_SHUTDOWN, NVML_THRESHOLD_SLOWDOWN, NVML_THRESHOLD_MEMORY, NVML_THRESHOLD_GPU_MAX };
enum { NVML_THRESHOLD_TARGET = 5, NVML_THRESHOLDS = 8 };
enum { NVML_POLICY_POWER = 0, NVML_POLICY_THERMAL = 1, NVML_POLICY_RELIABILITY = 5, NVML_POLICY_CLOCKS = 10 };
enum { NVML_EVENT_PSTATE = 0x4, NVML_EVENT_XID = 0x8, NVML_EVENT_CLOCK = 0x10 };
enum { NVML_VALUE_DOUBLE, NVML_VALUE_UINT, NVML_VALUE_ULONG, NVML_VALUE_U64, NVML_VALUE_I64, NVML_VALUE_INT };
#define NVML_NO_INSTANCE 0xffffffffu

typedef struct {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
} nvmlPciInfo_t;
typedef struct {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId;
} nvmlPciInfo_v1_t;
typedef struct {
    unsigned version, domain, bus, device, pciDeviceId, pciSubSystemId, baseClass, subClass;
    char busId[32];
} nvmlPciInfoExt_v1_t;
typedef struct {
    unsigned gpu, memory;
} nvmlUtilization_t;
typedef struct {
    nvml_u64 total, free, used;
} nvmlMemory_t;
typedef struct {
    unsigned version;
    nvml_u64 total, reserved, free, used;
} nvmlMemory_v2_t;
typedef struct {
    unsigned pid;
    nvml_u64 usedGpuMemory;
} nvmlProcessInfo_v1_t;
typedef struct {
    unsigned pid;
    nvml_u64 usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_v2_t;
typedef struct {
    unsigned pid;
    nvml_u64 usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
    nvml_u64 usedGpuCcProtectedMemory;
} nvmlProcessDetail_v1_t;
typedef struct {
    unsigned version, mode, numProcArrayEntries;
    nvmlProcessDetail_v1_t *procArray;
} nvmlProcessDetailList_v1_t;
typedef struct {
    unsigned pid;
    nvml_u64 timeStamp;
    unsigned smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;
typedef struct {
    nvml_u64 timeStamp;
    unsigned pid, smUtil, memUtil, encUtil, decUtil, jpgUtil, ofaUtil;
} nvmlProcessUtilizationInfo_v1_t;
typedef struct {
    unsigned version, processSamplesCount;
    nvml_u64 lastSeenTimeStamp;
    nvmlProcessUtilizationInfo_v1_t *procUtilArray;
} nvmlProcessesUtilizationInfo_v1_t;
typedef union {
    double dVal;
    int siVal;
    unsigned uiVal;
    unsigned long ulVal;
    nvml_u64 ullVal;
    long long sllVal;
    unsigned short usVal;
} nvmlValue_t;
typedef struct {
    unsigned fieldId, scopeId;
    long long timestamp, latencyUsec; /* Unix time, us; delay of the value, us */
    unsigned valueType;
    nvmlReturn_t nvmlReturn;
    nvmlValue_t value;
} nvmlFieldValue_t;
typedef struct {
    nvml_u64 timeStamp;
    nvmlValue_t sampleValue;
} nvmlSample_t;
typedef struct {
    nvml_u64 referenceTime, violationTime; /* referenceTime: us; violationTime: ns */
} nvmlViolationTime_t;
typedef struct {
    nvmlDevice_t device;
    nvml_u64 eventType, eventData;
} nvmlEventData_v1_t;
typedef struct {
    nvmlDevice_t device;
    nvml_u64 eventType, eventData;
    unsigned gpuInstanceId, computeInstanceId;
} nvmlEventData_t;
typedef struct {
    unsigned version, fan, speed;
} nvmlFanSpeedInfo_v1_t;
typedef struct {
    unsigned version, index, signalType, target;
} nvmlCoolerInfo_v1_t;
typedef struct {
    unsigned version, sensorType;
    int temperature;
} nvmlTemperature_v1_t;
typedef struct {
    unsigned version;
    int marginTemperature;
} nvmlMarginTemperature_v1_t;
typedef struct {
    unsigned version, powerScope, powerValueMw;
} nvmlPowerValue_v2_t;
typedef struct {
    unsigned version, type;
    union {
        char str[41];
        unsigned char bytes[16];
    } value;
} nvmlUUID_v1_t;
typedef struct {
    unsigned count;
    struct {
        int controller, defaultMinTemp, defaultMaxTemp, currentTemp, target;
    } sensor[3];
} nvmlGpuThermalSettings_t;
typedef struct {
    unsigned flags;
    struct {
        unsigned bIsPresent, percentage, incThreshold, decThreshold;
    } utilization[8];
} nvmlGpuDynamicPstatesInfo_t;
typedef struct {
    unsigned version;
    char branch[80];
} nvmlSystemDriverBranchInfo_v1_t;
typedef struct {
    nvml_u64 l1Cache, l2Cache, deviceMemory, registerFile;
} nvmlEccErrorCounts_t;
typedef struct {
    unsigned sessionsCount, averageFPS, averageLatency;
} nvmlFBCStats_t;
typedef struct {
    unsigned hwbcId;
    char firmwareVersion[32];
} nvmlHwbcEntry_t;

#endif
