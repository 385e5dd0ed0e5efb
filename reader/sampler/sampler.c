/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/sampler.h"

#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In the order of the lines. Of GPUs, those that NVIDIA's library knows are numbered first. */
static const struct sm_sensor_kind *const kinds[] = {
    &sm_cpu_sensor,    &sm_memory_sensor, &sm_disk_sensor,     &sm_network_sensor,
    &sm_nvidia_sensor, &sm_card_sensor,   &sm_pressure_sensor, &sm_infiniband_sensor,
    &sm_tree_sensor,   &sm_cgroup_sensor,
};
enum { KINDS = sizeof kinds / sizeof *kinds, NODE_BYTES = 32 };

struct sm_sampler {
    struct sm_sensor_place place;
    struct sm_sensor_buffer buffer;
    struct sm_sample_lines lines;
    char node[NODE_BYTES];
    struct {
        void *state;
        int64_t last_us; /* of the sample before; 0: none */
    } sensors[KINDS];
};

bool sm_counter_next(struct sm_counter *c, uint64_t now, uint64_t *grown)
{
    bool known = c->known && now >= c->last;
    *grown = known ? now - c->last : 0;
    *c = (struct sm_counter){now, true};
    return known;
}

void sm_counter_rate(struct sm_counter *c, uint64_t now, double scale,
                     const struct sm_sensor_call *call, const char *type, const char *name,
                     const char *dimension)
{
    uint64_t grown;
    if (sm_counter_next(c, now, &grown) && call->seconds > 0)
        sm_sample_add(call->out, type, name, dimension, (double)grown * scale / call->seconds);
}

static int open_root(const char *path, struct sm_err *err)
{
    const char *name = path ? path : "/";
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        sm_err_errno(err, "%s", name);
    return fd;
}

static bool is_of_host(const struct sm_sampler_options *o)
{
    return strcmp(o->root ? o->root : "/", o->own_root ? o->own_root : "/") != 0;
}

static void open_sensors(struct sm_sampler *s, bool of_process)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i]->of_process == of_process)
            s->sensors[i].state = kinds[i]->open(&s->place);
}

bool sm_sampler_new(const struct sm_sampler_options *o, struct sm_sampler **out, struct sm_err *err)
{
    struct sm_sampler *s = sm_alloc_zero(1, sizeof *s);
    *out = NULL;
    if (!s || !sm_sensor_buffer_init(&s->buffer)) {
        sm_free(s);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the sampler");
    }
    snprintf(s->node, sizeof s->node, "%s", o->node);
    s->place = (struct sm_sensor_place){.root = open_root(o->root, err),
                                        .own_root = open_root(o->own_root, err),
                                        .of_host = is_of_host(o),
                                        .nvml = o->nvml,
                                        .smi = o->smi,
                                        .interval_ms = o->interval_ms,
                                        .buffer = &s->buffer};
    if (s->place.root < 0 || s->place.own_root < 0) {
        sm_sampler_free(s);
        return false;
    }
    open_sensors(s, false);
    *out = s;
    return true;
}

static void close_sensors(struct sm_sampler *s, bool of_process)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (s->sensors[i].state && kinds[i]->of_process == of_process)
            kinds[i]->close(s->sensors[i].state);
        if (kinds[i]->of_process == of_process)
            s->sensors[i].state = NULL, s->sensors[i].last_us = 0;
    }
}

void sm_sampler_free(struct sm_sampler *s)
{
    if (!s)
        return;
    close_sensors(s, true);
    close_sensors(s, false);
    if (s->place.root >= 0)
        close(s->place.root);
    if (s->place.own_root >= 0)
        close(s->place.own_root);
    sm_sample_clear(&s->lines);
    sm_sensor_buffer_clear(&s->buffer);
    sm_free(s);
}

void sm_sampler_follow(struct sm_sampler *s, int pid)
{
    close_sensors(s, true);
    s->place.pid = pid;
    open_sensors(s, true);
}

struct sm_text sm_sampler_take(struct sm_sampler *s, int64_t wall_us, int64_t mono_us)
{
    struct sm_sensor_call call = {.out = &s->lines, .buffer = &s->buffer, .mono_us = mono_us};
    sm_sample_begin(&s->lines, s->node, wall_us);
    for (size_t i = 0; i < KINDS; i++) {
        if (!s->sensors[i].state)
            continue;
        int64_t last_us = s->sensors[i].last_us;
        call.seconds = last_us ? 1e-6 * (double)(mono_us - last_us) : 0;
        kinds[i]->sample(s->sensors[i].state, &call);
        s->sensors[i].last_us = mono_us;
    }
    if (s->lines.text.failed) /* without memory rather no lines than half of one */
        sm_sample_begin(&s->lines, s->node, wall_us);
    return (struct sm_text){sm_str_text(&s->lines.text), s->lines.text.len};
}
