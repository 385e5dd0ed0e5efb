/* SPDX-License-Identifier: Apache-2.0 */
/* Only what is called is declared here, as nvml.h of NVIDIA has it: results are 0 for success, and
 * "not supported" is one of the others. A function that an old library lacks is left out. */
#include "reader/sampler/nvml.h"

#include "reader/base/mem.h"

#include <stdio.h>

/* A program that is linked statically must not load libraries: there is none for it. */
#ifdef SMDBG_STATIC
#define dlopen(name, flags)  ((void)(name), NULL)
#define dlsym(library, name) ((void)(library), (void)(name), NULL)
#define dlclose(library)     ((void)(library))
#else
#include <dlfcn.h>
#endif

typedef struct nvml_device *device;
struct utilization {
    unsigned gpu, memory;
};
struct memory {
    unsigned long long total, free, used;
};
struct event {
    device device;
    unsigned long long type, data;
    unsigned gpu_instance, compute_instance;
};
enum { TEMPERATURE_GPU = 0, CLOCK_SM = 1, CLOCK_MEMORY = 2, EVENT_XID = 8, EVENTS_MAX = 64 };

/* X(member, result, name, other name or NULL, parameters) */
#define FUNCTIONS(X)                                                                               \
    X(init, "nvmlInit_v2", NULL, (void))                                                           \
    X(shutdown, "nvmlShutdown", NULL, (void))                                                      \
    X(count, "nvmlDeviceGetCount_v2", NULL, (unsigned *))                                          \
    X(handle, "nvmlDeviceGetHandleByIndex_v2", NULL, (unsigned, device *))                         \
    X(utilization, "nvmlDeviceGetUtilizationRates", NULL, (device, struct utilization *))          \
    X(memory, "nvmlDeviceGetMemoryInfo", NULL, (device, struct memory *))                          \
    X(power, "nvmlDeviceGetPowerUsage", NULL, (device, unsigned *))                                \
    X(temperature, "nvmlDeviceGetTemperature", NULL, (device, int, unsigned *))                    \
    X(clock, "nvmlDeviceGetClockInfo", NULL, (device, int, unsigned *))                            \
    X(reasons, "nvmlDeviceGetCurrentClocksEventReasons",                                           \
      "nvmlDeviceGetCurrentClocksThrottleReasons", (device, unsigned long long *))                 \
    X(new_events, "nvmlEventSetCreate", NULL, (void **))                                           \
    X(watch, "nvmlDeviceRegisterEvents", NULL, (device, unsigned long long, void *))               \
    X(wait, "nvmlEventSetWait_v2", NULL, (void *, struct event *, unsigned))                       \
    X(free_events, "nvmlEventSetFree", NULL, (void *))

struct sm_nvml {
    void *library;
    void *events; /* NULL: none */
#define MEMBER(member, name, other, parameters) int(*member) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
    device devices[SM_GPUS_MAX];
    struct sm_gpu_state states[SM_GPUS_MAX];
    unsigned n;
    bool begun;
};

static void find_function(struct sm_nvml *n, void *where, const char *name, const char *other)
{
    void **function = where;
    *function = dlsym(n->library, name);
    if (!*function && other)
        *function = dlsym(n->library, other);
}

static bool find_devices(struct sm_nvml *n)
{
    unsigned count = 0;
    if (!n->init || !n->shutdown || !n->count || !n->handle || n->init() != 0)
        return false;
    n->begun = true;
    if (n->count(&count) != 0)
        return false;
    for (unsigned i = 0; i < count && i < SM_GPUS_MAX; i++)
        n->n += n->handle(i, &n->devices[n->n]) == 0;
    return n->n > 0;
}

static void watch_errors(struct sm_nvml *n)
{
    if (!n->new_events || !n->watch || !n->wait || !n->free_events ||
        n->new_events(&n->events) != 0)
        n->events = NULL;
    for (unsigned i = 0; n->events && i < n->n; i++)
        n->watch(n->devices[i], EVENT_XID, n->events);
}

struct sm_nvml *sm_nvml_open(const char *name)
{
    struct sm_nvml *n = sm_alloc_zero(1, sizeof *n);
    if (!n)
        return NULL;
    n->library = dlopen(name ? name : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (n->library) {
#define FIND(member, name, other, parameters) find_function(n, &n->member, name, other);
        FUNCTIONS(FIND)
#undef FIND
    }
    if (!n->library || !find_devices(n)) {
        sm_nvml_close(n);
        return NULL;
    }
    watch_errors(n);
    return n;
}

void sm_nvml_close(struct sm_nvml *n)
{
    if (!n)
        return;
    if (n->events)
        n->free_events(n->events);
    if (n->begun)
        n->shutdown();
    if (n->library)
        dlclose(n->library);
    sm_free(n);
}

/* ---- one sample ---- */

static void read_memory(struct sm_nvml *n, device d, struct sm_gpu_reading *g)
{
    struct memory m;
    if (!n->memory || n->memory(d, &m) != 0)
        return;
    sm_gpu_set(g, SM_GPU_USED_BYTES, (double)m.used);
    sm_gpu_set(g, SM_GPU_TOTAL_BYTES, (double)m.total);
}

static void read_clocks(struct sm_nvml *n, device d, struct sm_gpu_reading *g)
{
    unsigned v;
    unsigned long long bits;
    if (n->clock && n->clock(d, CLOCK_SM, &v) == 0)
        sm_gpu_set(g, SM_GPU_CLOCK_MHZ, v);
    if (n->clock && n->clock(d, CLOCK_MEMORY, &v) == 0)
        sm_gpu_set(g, SM_GPU_MEMORY_CLOCK_MHZ, v);
    if (n->reasons && n->reasons(d, &bits) == 0) {
        g->reasons = bits;
        g->reasons_known = true;
    }
}

static void read_device(struct sm_nvml *n, device d, struct sm_gpu_reading *g)
{
    struct utilization busy;
    unsigned v;
    if (n->utilization && n->utilization(d, &busy) == 0)
        sm_gpu_set(g, SM_GPU_BUSY, busy.gpu);
    if (n->power && n->power(d, &v) == 0)
        sm_gpu_set(g, SM_GPU_WATTS, 1e-3 * v);
    if (n->temperature && n->temperature(d, TEMPERATURE_GPU, &v) == 0)
        sm_gpu_set(g, SM_GPU_CELSIUS, v);
    read_memory(n, d, g);
    read_clocks(n, d, g);
}

/* The number of the error is the value. */
static void add_errors(struct sm_nvml *n, unsigned first, struct sm_sensor_call *call)
{
    struct event e;
    for (int k = 0; n->events && k < EVENTS_MAX && n->wait(n->events, &e, 0) == 0; k++)
        for (unsigned i = 0; i < n->n; i++)
            if (n->devices[i] == e.device && e.type == EVENT_XID) {
                char name[16];
                snprintf(name, sizeof name, "gpu%u", first + i);
                sm_sample_add(call->out, "event", name, "XidError", (double)e.data);
            }
}

void sm_nvml_sample(struct sm_nvml *n, struct sm_sensor_call *call)
{
    unsigned first = call->gpus;
    for (unsigned i = 0; i < n->n; i++) {
        struct sm_gpu_reading g = {0};
        read_device(n, n->devices[i], &g);
        sm_gpu_add(&n->states[i], &g, call);
    }
    add_errors(n, first, call);
}
