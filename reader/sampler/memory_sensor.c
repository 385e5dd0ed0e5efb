/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/meminfo: the share of memory and of swap space that is used. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

static void *open_memory(const struct sm_sensor_place *place)
{
    struct sm_sensor_file *f = sm_alloc(sizeof *f);
    if (f && sm_sensor_open(f, place->root, "proc/meminfo"))
        return f;
    sm_free(f);
    return NULL;
}

static void close_memory(void *state)
{
    sm_sensor_close(state);
    sm_free(state);
}

static void add_used(struct sm_sample_lines *out, const char *name, struct sm_text text,
                     const char *total_key, const char *free_key)
{
    uint64_t total, left;
    if (sm_sensor_value(text, total_key, &total) && sm_sensor_value(text, free_key, &left) &&
        total && left <= total)
        sm_sample_add(out, "memory", name, "", 100 * (double)(total - left) / (double)total);
}

/* Available is what programs could get without swapping; free memory says little. */
static void sample_memory(void *state, struct sm_sensor_call *call)
{
    struct sm_text text = sm_sensor_read(state, call->buffer);
    add_used(call->out, "MemoryUsedPercent", text, "MemTotal:", "MemAvailable:");
    add_used(call->out, "SwapUsedPercent", text, "SwapTotal:", "SwapFree:");
}

const struct sm_sensor_kind sm_memory_sensor = {
    .name = "memory", .open = open_memory, .sample = sample_memory, .close = close_memory};
