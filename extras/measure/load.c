/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps a share of a GPU busy for a time, for measurements:
 *     load KERNELS.ptx compute|memory SHARE SECONDS DEVICE
 * Needs the driver's libcuda, but no CUDA toolkit. Build: cc -O2 -o load load.c -ldl */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 1024, MULTIPROCESSORS = 16 /* CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT */ };

/* These pointers to functions of libcuda (CUDA driver API) are set by open_driver. */
typedef int call; /* the type CUresult; 0 is success */
static call (*cu_init)(unsigned);
static call (*cu_device_get)(int *, int);
static call (*cu_attribute)(int *, int, int);
static call (*cu_context)(void **, unsigned, int);
static call (*cu_load)(void **, const void *);
static call (*cu_function)(void **, void *, const char *);
static call (*cu_alloc)(unsigned long long *, size_t);
static call (*cu_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                         void **, void **);
static call (*cu_wait)(void);

static void *symbol(void *lib, const char *name)
{
    void *found = dlsym(lib, name);
    if (!found) {
        fprintf(stderr, "load: the driver has no %s\n", name);
        exit(1);
    }
    return found;
}

static void open_driver(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "load: no NVIDIA driver: %s\n", dlerror());
        exit(1);
    }
    /* POSIX suggests this conversion of dlsym's result to a function pointer. */
    *(void **)&cu_init = symbol(lib, "cuInit");
    *(void **)&cu_device_get = symbol(lib, "cuDeviceGet");
    *(void **)&cu_attribute = symbol(lib, "cuDeviceGetAttribute");
    *(void **)&cu_context = symbol(lib, "cuCtxCreate_v2");
    *(void **)&cu_load = symbol(lib, "cuModuleLoadData");
    *(void **)&cu_function = symbol(lib, "cuModuleGetFunction");
    *(void **)&cu_alloc = symbol(lib, "cuMemAlloc_v2");
    *(void **)&cu_launch = symbol(lib, "cuLaunchKernel");
    *(void **)&cu_wait = symbol(lib, "cuCtxSynchronize");
}

static void must(call result, const char *what)
{
    if (result == 0)
        return;
    fprintf(stderr, "load: %s failed, CUDA error %d\n", what, result);
    exit(1);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *read_text(const char *path)
{
    enum { MOST = 1 << 16 };
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(MOST, 1) : NULL;
    if (text && fread(text, 1, MOST - 1, f) == 0) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    if (!text) {
        fprintf(stderr, "load: cannot read %s\n", path);
        exit(1);
    }
    return text;
}

typedef struct {
    void *function;
    unsigned blocks;
    unsigned long long to, from, count;
    /* rounds: repetitions in one launch; memory: 1 for the kernel wsk_memory, 0 for wsk_compute */
    int rounds, memory;
} job;

/* A block of THREADS threads is meant to occupy one multiprocessor, so the ratio of blocks to multiprocessors is about
 * the share of the chip that is busy. */
static void launch(job *j)
{
    void *compute[] = {&j->to, &j->rounds}, *memory[] = {&j->to, &j->from, &j->count, &j->rounds};
    must(cu_launch(j->function, j->blocks, 1, 1, THREADS, 1, 1, 0, NULL, j->memory ? memory : compute, NULL),
         "a launch");
}

/* The rounds are adjusted so that four launches take 0.05 to 0.4 s. */
static void run(job *j, double seconds)
{
    double end = now_s() + seconds;
    while (now_s() < end) {
        double begin = now_s();
        /* Four launches are queued at once, so that the card waits for the program only after every fourth. */
        for (int i = 0; i < 4; i++)
            launch(j);
        must(cu_wait(), "the load");
        double took = now_s() - begin;
        if (took < 0.05 && j->rounds < 1 << 28)
            j->rounds *= 2;
        else if (took > 0.4 && j->rounds > 1)
            j->rounds /= 2;
    }
}

int main(int argc, char **argv)
{
    if (argc != 6 || (strcmp(argv[2], "compute") != 0 && strcmp(argv[2], "memory") != 0)) {
        fprintf(stderr, "usage: load KERNELS.ptx compute|memory SHARE SECONDS DEVICE\n");
        return 2;
    }
    double share = atof(argv[3]), seconds = atof(argv[4]);
    if (!(share > 0 && share <= 1 && seconds > 0)) {
        fprintf(stderr, "load: expected a share above 0 and up to 1, and a time above 0 s\n");
        return 2;
    }
    job j = {.memory = strcmp(argv[2], "memory") == 0, .rounds = 64};
    const size_t half = (size_t)256 << 20; /* more than the caches of a GPU */
    int device, processors;
    void *context, *module;
    char *ptx = read_text(argv[1]);
    open_driver();
    must(cu_init(0), "starting CUDA");
    must(cu_device_get(&device, atoi(argv[5])), "finding the card");
    must(cu_attribute(&processors, MULTIPROCESSORS, device), "asking the card");
    must(cu_context(&context, 0, device), "opening the card");
    must(cu_load(&module, ptx), "translating the kernels");
    free(ptx);
    must(cu_function(&j.function, module, j.memory ? "wsk_memory" : "wsk_compute"), "finding the kernel");
    must(cu_alloc(&j.to, half), "taking memory");
    must(cu_alloc(&j.from, half), "taking memory");
    j.count = half / 16;
    j.blocks = (unsigned)(share * processors + 0.5);
    if (j.blocks == 0)
        j.blocks = 1;
    if (j.memory)
        j.rounds = 1;
    run(&j, seconds);
    return 0;
}
