/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shared memory ("segment") of a twin: a simulation that runs by a clock and shows its cards to other programs, the
 * clients, as if they were real. `wattsink twin` (cli/twin) writes the segment; the stand-in for NVIDIA's library
 * (twin/nvml) and `wattsink smi` (cli/smi) map it for reading only. A client that wants to change a card's settings
 * sends a request over the twin's socket (ask.h).
 *
 * A client needs only segment.c and ask.c, neither libwattsink nor the simulation. Begin here. docs/twin.md says what
 * each client reads. */
#ifndef WSK_TWIN_SEGMENT_H
#define WSK_TWIN_SEGMENT_H
#include <stdbool.h>
#include <stdint.h>

/* A client refuses a segment with another version. */
enum { WSK_TWIN_VERSION = 2, WSK_TWIN_CARDS = 64, WSK_TWIN_FANS = 4, WSK_TWIN_PROCESSES = 4, WSK_TWIN_NAME = 64 };
/* A client regards a writer (the twin) as gone if it has called neither wsk_twin_publish nor wsk_twin_beat for longer
 * than this. */
enum { WSK_TWIN_SILENCE_MS = 2000 };
/* Most moments (states of the twin, see below) that may be published before readers are to see them. */
enum { WSK_TWIN_AHEAD = 4 };
/* The value of a number that the card does not report ("N/A", NVML's NOT_SUPPORTED). */
enum { WSK_TWIN_NONE = INT32_MIN };

typedef enum {
    WSK_BRAND_GEFORCE,
    WSK_BRAND_RTX,
    WSK_BRAND_NVIDIA,
    WSK_BRAND_OTHER,
    WSK_BRAND_TITAN,
    WSK_BRAND_QUADRO_RTX,
    WSK_BRAND_TESLA
} wsk_twin_brand;
/* Architectures, as NVML numbers them. */
typedef enum {
    WSK_ARCH_KEPLER = 2,
    WSK_ARCH_MAXWELL,
    WSK_ARCH_PASCAL,
    WSK_ARCH_VOLTA,
    WSK_ARCH_TURING,
    WSK_ARCH_AMPERE,
    WSK_ARCH_ADA,
    WSK_ARCH_HOPPER,
    WSK_ARCH_BLACKWELL
} wsk_twin_arch;

typedef struct {
    char id[WSK_TWIN_NAME];   /* id in the rig: "gpu0" */
    char part[WSK_TWIN_NAME]; /* id in the catalogue: "gpu/rtx-3090-fe"; "": none */
    char name[96];
    char uuid[48];
    char bus_id[24];                            /* "00000000:01:00.0" */
    char serial[24], vbios[24], board_part[24]; /* "": the card does not report it */
    char gpu_part[24];                          /* part number of the GPU itself: "2330-885-A1"; "": not known */
    int32_t nvidia;                             /* 0: another maker's card; NVML and `smi` do not list it */
    int32_t brand, arch;                        /* wsk_twin_brand, wsk_twin_arch */
    int32_t domain, bus, device, minor;
    uint32_t pci_id, pci_subsystem_id;
    int32_t cc_major, cc_minor, cores, bus_bits;
    int32_t ecc;                  /* 1: ECC is on; 0: the card has no ECC, or ECC is off */
    int32_t ecc_off;              /* 1: the card has ECC, but ECC is off (default of workstation cards) */
    int32_t display;              /* 1: has display outputs */
    int32_t pcie_gen, pcie_lanes; /* highest generation of PCI Express, and number of lanes */
    int32_t fans, fan_rpm_max, fan_percent_min; /* fans 0: passive or water-cooled */
    int64_t memory_bytes, bar1_bytes;
    int32_t limit_min_mw, limit_default_mw, limit_max_mw;
    int32_t clock_min_mhz, clock_max_mhz, clock_step_mhz, memory_clock_max_mhz;
    int32_t slowdown_c, shutdown_c, target_c, memory_max_c; /* WSK_TWIN_NONE: no such limit */
} wsk_twin_fixed;

/* Bits of `reasons`, as NVML numbers them. */
enum {
    WSK_REASON_IDLE = 0x1,
    WSK_REASON_CLOCK_SETTING = 0x2,
    WSK_REASON_POWER_CAP = 0x4,
    WSK_REASON_HW_SLOWDOWN = 0x8,
    WSK_REASON_SYNC = 0x10,
    WSK_REASON_SW_THERMAL = 0x20,
    WSK_REASON_HW_THERMAL = 0x40,
    WSK_REASON_HW_BRAKE = 0x80
};

typedef struct {
    char name[WSK_TWIN_NAME];
    int32_t pid; /* made up by the twin, above the system's ids; 0: the entry is unused */
    int32_t sm_percent;
    int64_t memory_bytes;
} wsk_twin_process;

/* State and sensor readings of a card at the moment's t_ns, rounded as those of real cards (docs/twin.md). */
typedef struct {
    int32_t lost; /* 1: off the bus, as after Xid 79 (NVML: GPU_IS_LOST) */
    int32_t persistence;
    int32_t die_c, memory_c, hotspot_c;      /* WSK_TWIN_NONE: no such sensor */
    int32_t power_mw;                        /* as nvmlDeviceGetPowerUsage reports it */
    int32_t power_mean_mw, power_instant_mw; /* mean of the last second; present power */
    int32_t limit_mw, enforced_limit_mw;
    int32_t clock_mhz, memory_clock_mhz, video_clock_mhz;
    int32_t lock_low_mhz, lock_high_mhz, memory_lock_mhz; /* 0: not locked */
    int32_t fan_percent[WSK_TWIN_FANS], fan_rpm[WSK_TWIN_FANS], fan_goal_percent[WSK_TWIN_FANS];
    int32_t fan_manual; /* 1: a client holds the fans at a speed */
    /* utilisation; gpu_percent is its mean over the last second */
    int32_t gpu_percent, memory_percent, encoder_percent, decoder_percent;
    int32_t pstate; /* 0: highest performance, 8: idle */
    int32_t voltage_mv;
    int32_t pcie_gen_now, pcie_lanes_now, pcie_tx_kbs, pcie_rx_kbs;
    uint32_t reasons, xid; /* bits WSK_REASON_*; last Xid, 0: none */
    uint64_t energy_mj;    /* since the start of the twin */
    /* time in which the clocks were held down, ns: by power, by the thermal governor, by hardware for heat, by the
     * power brake */
    uint64_t held_power_ns, held_thermal_ns, held_hw_thermal_ns, held_brake_ns;
    int64_t memory_used_bytes;
    wsk_twin_process process[WSK_TWIN_PROCESSES];
} wsk_twin_now;

typedef struct {
    wsk_twin_fixed fixed;
    wsk_twin_now now;
} wsk_twin_card;

/* A moment: the whole state of the twin at one time. Cards behind `count` are undefined. */
typedef struct {
    int64_t t_ns;   /* simulated time since the start */
    int64_t utc_ns; /* Unix time of the simulated clock */
    int32_t count;
    int32_t writable; /* 1: clients may change settings (wattsink twin --writable) */
    int32_t lockstep; /* 1: time passes only when a client advances it */
    int32_t writer_pid;
    double speed; /* simulated seconds per real second; INFINITY: as fast as possible */
    char rig[WSK_TWIN_NAME], driver[24];
    int32_t cuda;     /* version of CUDA, such as 13010 for CUDA 13.1 */
    char socket[108]; /* path of the control socket (ask.h); "": none */
    wsk_twin_card card[WSK_TWIN_CARDS];
} wsk_twin_moment;

typedef enum {
    WSK_TWIN_OK,
    WSK_TWIN_ABSENT,
    WSK_TWIN_DENIED,  /* the segment belongs to another user, or other users could open it */
    WSK_TWIN_FOREIGN, /* not the segment of a twin, or that of another version */
    WSK_TWIN_GONE,    /* the writer is silent, has closed the segment or has not published yet */
    WSK_TWIN_TAKEN,
    WSK_TWIN_FAILED /* errno says why */
} wsk_twin_status;

typedef struct wsk_twin_writer wsk_twin_writer;
typedef struct wsk_twin_reader wsk_twin_reader;

/* Name of the twin to use: `name`, if NULL or "" the environment's WATTSINK_TWIN, else "twin". NULL: the name is
 * longer than 40 characters, or has others than letters, digits, dots, dashes and underscores. */
const char *wsk_twin_name(const char *name);

/* Makes the segment of a twin, mode 0600. A segment left by a writer that no longer runs is replaced. WSK_TWIN_TAKEN: a
 * writer that runs has a segment of this name. */
wsk_twin_status wsk_twin_create(wsk_twin_writer **out, const char *name);
/* Shows a moment to all readers at once. It replaces all earlier moments, even those that are not due yet. Takes the
 * time of a copy and a checksum of the cards in use. */
void wsk_twin_publish(wsk_twin_writer *writer, const wsk_twin_moment *moment);
/* Shows a moment from due_ms (CLOCK_MONOTONIC) on; until then readers see the moments before it. So a writer
 * can publish several moments at once, each due later than the one before, and sleep until the last. */
void wsk_twin_publish_due(wsk_twin_writer *writer, const wsk_twin_moment *moment, int64_t due_ms);
/* Tells readers that the writer still runs, although nothing has changed. */
void wsk_twin_beat(wsk_twin_writer *writer);
/* Removes the segment; readers then see WSK_TWIN_GONE. NULL is allowed. */
void wsk_twin_close(wsk_twin_writer *writer);

wsk_twin_status wsk_twin_attach(wsk_twin_reader **out, const char *name);
/* Copies the newest moment that is due. The copy is never half written, even if the writer was killed while it wrote.
 * Never waits. On WSK_TWIN_GONE *out is the last moment, if there was one. Threads may share a reader. */
wsk_twin_status wsk_twin_read(const wsk_twin_reader *reader, wsk_twin_moment *out);
/* Number of the newest moment that is due; it changes when there is a new one. 0: there is none yet. */
uint64_t wsk_twin_newest(const wsk_twin_reader *reader);
void wsk_twin_detach(wsk_twin_reader *reader);

#endif
