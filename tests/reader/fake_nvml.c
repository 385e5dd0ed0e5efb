/* SPDX-License-Identifier: Apache-2.0 */
/* What the sampler calls of NVIDIA's library, for two GPUs: the first is limited by its power at
 * the first look and too hot at the second, when the second has an error. The second is shared
 * (MIG), and does not know how busy it is. */
#include <stddef.h>

enum { OK = 0, NOT_SUPPORTED = 3, TIMEOUT = 10 };
struct nvml_device {
    int looks, index;
};
static struct nvml_device devices[2] = {{0, 0}, {0, 1}};
static int waiting;

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *n);
int nvmlDeviceGetHandleByIndex_v2(unsigned i, struct nvml_device **out);
int nvmlDeviceGetUtilizationRates(struct nvml_device *d, unsigned out[2]);
int nvmlDeviceGetMemoryInfo(struct nvml_device *d, unsigned long long out[3]);
int nvmlDeviceGetPowerUsage(struct nvml_device *d, unsigned *out);
int nvmlDeviceGetTemperature(struct nvml_device *d, int which, unsigned *out);
int nvmlDeviceGetClockInfo(struct nvml_device *d, int which, unsigned *out);
int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvml_device *d, unsigned long long *out);
int nvmlEventSetCreate(void **out);
int nvmlEventSetFree(void *set);
int nvmlDeviceRegisterEvents(struct nvml_device *d, unsigned long long types, void *set);
struct event {
    struct nvml_device *device;
    unsigned long long type, data;
    unsigned gpu_instance, compute_instance;
};
int nvmlEventSetWait_v2(void *set, struct event *out, unsigned ms);

int nvmlInit_v2(void)
{
    return OK;
}

int nvmlShutdown(void)
{
    return OK;
}

int nvmlDeviceGetCount_v2(unsigned *n)
{
    *n = 2;
    return OK;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned i, struct nvml_device **out)
{
    *out = &devices[i];
    return OK;
}

int nvmlDeviceGetUtilizationRates(struct nvml_device *d, unsigned out[2])
{
    out[0] = 37;
    out[1] = 9;
    return d->index ? NOT_SUPPORTED : OK;
}

int nvmlDeviceGetMemoryInfo(struct nvml_device *d, unsigned long long out[3])
{
    out[0] = 80ull << 30;
    out[1] = 60ull << 30;
    out[2] = (d->index ? 40ull : 20ull) << 30;
    return OK;
}

int nvmlDeviceGetPowerUsage(struct nvml_device *d, unsigned *out)
{
    *out = d->index ? 70250 : 699500;
    return OK;
}

int nvmlDeviceGetTemperature(struct nvml_device *d, int which, unsigned *out)
{
    *out = which == 0 ? (d->index ? 35 : 81) : 0;
    return OK;
}

int nvmlDeviceGetClockInfo(struct nvml_device *d, int which, unsigned *out)
{
    (void)d;
    *out = which == 1 ? 1980 : 2619;
    return OK;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvml_device *d, unsigned long long *out)
{
    int look = d->looks++;
    waiting = d->index && look == 1;
    *out = d->index ? 1 : look == 0 ? 0x4 : 0x40;
    return OK;
}

int nvmlEventSetCreate(void **out)
{
    *out = devices;
    return OK;
}

int nvmlEventSetFree(void *set)
{
    return set ? OK : NOT_SUPPORTED;
}

int nvmlDeviceRegisterEvents(struct nvml_device *d, unsigned long long types, void *set)
{
    return d && types == 8 && set ? OK : NOT_SUPPORTED;
}

int nvmlEventSetWait_v2(void *set, struct event *out, unsigned ms)
{
    if (!set || ms || !waiting)
        return TIMEOUT;
    waiting = 0;
    *out = (struct event){.device = &devices[1], .type = 8, .data = 79};
    return OK;
}
