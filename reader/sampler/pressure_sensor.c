/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/pressure: the share of time in which some, or all, tasks waited for CPU, I/O or memory.
 * It comes from the counters, not from the averages, so it is of this sample alone. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

static const char *const resources[] = {"cpu", "io", "memory"};
enum { RESOURCES = 3 };

struct pressure {
    struct sm_sensor_file files[RESOURCES];
    struct sm_counter some[RESOURCES], full[RESOURCES];
};

static void *open_pressure(const struct sm_sensor_place *place)
{
    struct pressure *p = sm_alloc_zero(1, sizeof *p);
    bool any = false;
    for (int i = 0; p && i < RESOURCES; i++)
        any |= sm_sensor_open(&p->files[i], place->root, "proc/pressure/%s", resources[i]);
    if (any)
        return p;
    sm_free(p);
    return NULL;
}

static void close_pressure(void *state)
{
    struct pressure *p = state;
    for (int i = 0; i < RESOURCES; i++)
        sm_sensor_close(&p->files[i]);
    sm_free(p);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in microseconds */
static bool read_total(struct sm_text line, uint64_t *out)
{
    struct sm_text word;
    while (sm_sensor_word(&line, &word))
        if (sm_sensor_prefix(&word, "total="))
            return sm_sensor_number(word, out);
    return false;
}

static void sample_pressure(void *state, struct sm_sensor_call *call)
{
    struct pressure *p = state;
    for (int i = 0; i < RESOURCES; i++) {
        struct sm_text rest = sm_sensor_read(&p->files[i], call->buffer), line;
        while (sm_sensor_line(&rest, &line)) {
            uint64_t total;
            bool full = sm_sensor_prefix(&line, "full ");
            if ((full || sm_sensor_prefix(&line, "some ")) && read_total(line, &total))
                sm_counter_rate(full ? &p->full[i] : &p->some[i], total, 1e-4, call, "pressure",
                                resources[i], full ? "FullPercent" : "SomePercent");
        }
    }
}

const struct sm_sensor_kind sm_pressure_sensor = {
    .name = "pressure", .open = open_pressure, .sample = sample_pressure, .close = close_pressure};
