/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/stat: utilisation and I/O wait of each core. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/sampler/sensor.h"

#include <stdio.h>

/* user nice system idle iowait irq softirq steal; guest times are in user and nice */
enum { IDLE = 3, IOWAIT = 4, TIMES = 8, MOST_CORES = 8192 };

struct core {
    uint64_t times[TIMES];
    bool known;
};
struct cpu {
    struct sm_sensor_file file;
    struct core *cores;
    size_t n, cap;
};

static void *open_cpu(const struct sm_sensor_place *place)
{
    struct cpu *c = sm_alloc_zero(1, sizeof *c);
    if (c && sm_sensor_open(&c->file, place->root, "proc/stat"))
        return c;
    sm_free(c);
    return NULL;
}

static void close_cpu(void *state)
{
    struct cpu *c = state;
    sm_sensor_close(&c->file);
    sm_free(c->cores);
    sm_free(c);
}

/* "cpu3 10 0 5 ..."; false: another line */
static bool read_core(struct sm_text line, uint64_t *number, uint64_t times[TIMES])
{
    struct sm_text word;
    if (!sm_sensor_prefix(&line, "cpu") || !line.n || line.p[0] == ' ' ||
        !sm_sensor_word(&line, &word) || !sm_sensor_number(word, number))
        return false;
    for (int i = 0; i < TIMES; i++)
        times[i] = 0;
    for (int i = 0; i < TIMES; i++)
        if (!sm_sensor_u64(&line, &times[i]))
            return i > IDLE; /* old kernels have fewer */
    return true;
}

/* Times of one kind may go back by a little: the kernel corrects the idle ones. */
static double grown(const struct core *core, const uint64_t times[TIMES], int i)
{
    return times[i] > core->times[i] ? (double)(times[i] - core->times[i]) : 0;
}

static void add_core(const struct core *core, const uint64_t times[TIMES], size_t number,
                     struct sm_sample_lines *out)
{
    char name[16];
    double all = 0;
    for (int i = 0; i < TIMES; i++)
        all += grown(core, times, i);
    if (!core->known || all <= 0)
        return;
    double waiting = grown(core, times, IOWAIT), idle = grown(core, times, IDLE);
    snprintf(name, sizeof name, "cpu%zu", number);
    sm_sample_add(out, "cpu", name, "CPUUtilization", 100 * (all - idle - waiting) / all);
    sm_sample_add(out, "cpu", name, "I/OWaitPercentage", 100 * waiting / all);
}

static struct core *core_at(struct cpu *c, uint64_t number)
{
    if (number >= MOST_CORES ||
        !sm_vec_reserve((void **)&c->cores, &c->cap, (size_t)number + 1, sizeof *c->cores))
        return NULL;
    while (c->n <= number)
        c->cores[c->n++] = (struct core){0};
    return &c->cores[number];
}

static void sample_cpu(void *state, struct sm_sensor_call *call)
{
    struct cpu *c = state;
    struct sm_text rest = sm_sensor_read(&c->file, call->buffer), line;
    while (sm_sensor_line(&rest, &line) && line.n > 2 && line.p[0] == 'c') {
        uint64_t number, times[TIMES];
        struct core *core = read_core(line, &number, times) ? core_at(c, number) : NULL;
        if (!core)
            continue;
        add_core(core, times, (size_t)number, call->out);
        for (int i = 0; i < TIMES; i++)
            core->times[i] = times[i];
        core->known = true;
    }
}

const struct sm_sensor_kind sm_cpu_sensor = {
    .name = "cpu", .open = open_cpu, .sample = sample_cpu, .close = close_cpu};
