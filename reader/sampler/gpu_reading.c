/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/gpu_reading.h"

#include <stdio.h>

void sm_gpu_set(struct sm_gpu_reading *g, enum sm_gpu_figure figure, double value)
{
    g->figures[figure] = value;
    g->known[figure] = true;
}

static const struct {
    enum sm_gpu_figure figure;
    const char *dimension;
} rows[] = {
    {SM_GPU_BUSY, "GPUUtilization"},      {SM_GPU_USED_BYTES, "MemoryUsedBytes"},
    {SM_GPU_WATTS, "PowerWatts"},         {SM_GPU_CELSIUS, "TemperatureCelsius"},
    {SM_GPU_CLOCK_MHZ, "ClockMegahertz"}, {SM_GPU_MEMORY_CLOCK_MHZ, "MemoryClockMegahertz"},
};

/* Not an idle GPU, and not clocks that somebody has set. */
static const struct {
    uint64_t bit;
    const char *name;
} reasons[] = {
    {0x04, "SwPowerCap"},        {0x08, "HwSlowdown"},        {0x10, "SyncBoost"},
    {0x20, "SwThermalSlowdown"}, {0x40, "HwThermalSlowdown"}, {0x80, "HwPowerBrakeSlowdown"},
};

static void add_reasons(struct sm_gpu_state *state, const struct sm_gpu_reading *g,
                        const char *name, struct sm_sample_lines *out)
{
    uint64_t changed = state->reasons ^ g->reasons;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (changed & reasons[i].bit)
            sm_sample_add(out, "event", name, reasons[i].name, (g->reasons & reasons[i].bit) != 0);
    state->reasons = g->reasons;
}

void sm_gpu_add(struct sm_gpu_state *state, const struct sm_gpu_reading *g,
                struct sm_sensor_call *call)
{
    char name[16];
    snprintf(name, sizeof name, "gpu%u", call->gpus++);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (g->known[rows[i].figure])
            sm_sample_add(call->out, "gpu", name, rows[i].dimension, g->figures[rows[i].figure]);
    if (g->known[SM_GPU_USED_BYTES] && g->known[SM_GPU_TOTAL_BYTES] &&
        g->figures[SM_GPU_TOTAL_BYTES] > 0)
        sm_sample_add(call->out, "gpu", name, "GPUMemoryUtilization",
                      100 * g->figures[SM_GPU_USED_BYTES] / g->figures[SM_GPU_TOTAL_BYTES]);
    if (g->reasons_known)
        add_reasons(state, g, name, call->out);
}
