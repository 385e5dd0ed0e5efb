/* SPDX-License-Identifier: Apache-2.0 */
/* The control groups of the followed process: CPU throttling, memory against its limit, kills for
 * lack of memory. Limits are set at any level (container, pod, job, step), so all levels from the
 * process's group upwards are read, and the worst of them counts. */
#include "reader/base/mem.h"
#include "reader/sampler/sensor.h"

#include <stdio.h>
#include <string.h>

/* Whether the process is still in its groups is looked at each so many samples, and in each of the
 * first ones: what starts a program may move it. */
enum { LEVELS = 8, PATH_BYTES = 400, MOVED_EACH = 8 };

/* Version 1 has no file for what is above this; its "no limit" is a huge number. */
#define NO_LIMIT ((uint64_t)1 << 60)

struct level {
    struct sm_sensor_file cpu, used, limit, events;
    struct sm_counter periods, throttled, kills;
};
/* Where a hierarchy is, and its names of files. */
struct hierarchy {
    const char *mount, *used, *limit, *events;
};
static const struct hierarchy version2 = {"sys/fs/cgroup", "memory.current", "memory.max",
                                          "memory.events"},
                              version1_cpu = {"sys/fs/cgroup/cpu", NULL, NULL, NULL},
                              version1_memory = {"sys/fs/cgroup/memory", "memory.usage_in_bytes",
                                                 "memory.limit_in_bytes", "memory.oom_control"};
struct cgroup {
    int root;
    struct sm_sensor_file groups; /* /proc/PID/cgroup */
    struct sm_str seen;           /* its text, as the levels are */
    uint64_t samples;
    struct level levels[2 * LEVELS];
    size_t n;
};

/* ---- opening ---- */

static bool open_file(struct sm_sensor_file *f, int root, const char *mount, const char *path,
                      const char *name)
{
    f->fd = -1;
    return name && sm_sensor_open(f, root, "%s%s/%s", mount, path, name);
}

static bool open_level(struct cgroup *c, const struct hierarchy *h, const char *path)
{
    struct level *level = &c->levels[c->n];
    bool cpu =
        open_file(&level->cpu, c->root, h->mount, path, h == &version1_memory ? NULL : "cpu.stat");
    bool used = open_file(&level->used, c->root, h->mount, path, h->used);
    open_file(&level->limit, c->root, h->mount, path, h->limit);
    bool events = open_file(&level->events, c->root, h->mount, path, h->events);
    c->n += cpu || used || events;
    return cpu || used || events;
}

/* A container may see its own group as the root of the mount, and another path in /proc: then
 * nothing is found below the path, and the root counts. */
static void open_levels(struct cgroup *c, const struct hierarchy *h, struct sm_text path)
{
    char name[PATH_BYTES];
    if (path.n >= sizeof name || (path.n && path.p[0] != '/'))
        return;
    memcpy(name, path.p, path.n);
    name[path.n] = 0;
    size_t before = c->n;
    for (int i = 0; i < LEVELS - 1 && c->n < 2 * LEVELS - 1 && strlen(name) > 1; i++) {
        if (!open_level(c, h, name) && c->n > before)
            break;
        *strrchr(name, '/') = 0;
    }
    open_level(c, h, "");
}

/* "4:cpu,cpuacct:/path" has this controller? "" is that of version 2. */
static bool has_controller(struct sm_text list, const char *controller)
{
    while (list.n) {
        const char *comma = memchr(list.p, ',', list.n);
        size_t n = comma ? (size_t)(comma - list.p) : list.n;
        if (sm_text_is((struct sm_text){list.p, n}, controller))
            return true;
        n += comma != NULL;
        list = (struct sm_text){list.p + n, list.n - n};
    }
    return !*controller;
}

/* Parses a line of /proc/PID/cgroup. */
static bool read_group(struct sm_text line, struct sm_text *controllers, struct sm_text *path)
{
    const char *end = line.p + line.n, *first = memchr(line.p, ':', line.n);
    const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;
    if (!second)
        return false;
    *controllers = (struct sm_text){first + 1, (size_t)(second - first - 1)};
    *path = (struct sm_text){second + 1, (size_t)(end - second - 1)};
    return true;
}

static void open_group(struct cgroup *c, struct sm_text line)
{
    struct sm_text controllers, path;
    if (!line.n || !read_group(line, &controllers, &path))
        return;
    if (!controllers.n)
        open_levels(c, &version2, path);
    else if (has_controller(controllers, "cpu"))
        open_levels(c, &version1_cpu, path);
    else if (has_controller(controllers, "memory"))
        open_levels(c, &version1_memory, path);
}

static void close_levels(struct cgroup *c)
{
    for (size_t i = 0; i < c->n; i++) {
        sm_sensor_close(&c->levels[i].cpu);
        sm_sensor_close(&c->levels[i].used);
        sm_sensor_close(&c->levels[i].limit);
        sm_sensor_close(&c->levels[i].events);
    }
    memset(c->levels, 0, sizeof c->levels);
    c->n = 0;
}

/* Opens the groups that the process is in, if they are others than before. A process that has ended
 * is in none, and its last ones stay open: they know why it ended. */
static void find_groups(struct cgroup *c, struct sm_sensor_buffer *buffer)
{
    struct sm_text rest = sm_sensor_read(&c->groups, buffer), line;
    bool same =
        rest.n == c->seen.len && (!rest.n || memcmp(rest.p, sm_str_text(&c->seen), rest.n) == 0);
    if (!rest.n || same)
        return;
    sm_str_truncate(&c->seen, 0);
    sm_str_addn(&c->seen, rest.p, rest.n);
    close_levels(c);
    while (sm_sensor_line(&rest, &line))
        open_group(c, line);
}

static void *open_cgroup(const struct sm_sensor_place *place)
{
    struct cgroup *c = sm_alloc_zero(1, sizeof *c);
    if (!c)
        return NULL;
    c->root = place->own_root;
    if (!sm_sensor_open(&c->groups, c->root, "proc/%d/cgroup", place->pid)) {
        sm_free(c);
        return NULL;
    }
    find_groups(c, place->buffer);
    return c;
}

static void close_cgroup(void *state)
{
    struct cgroup *c = state;
    close_levels(c);
    sm_sensor_close(&c->groups);
    sm_str_clear(&c->seen);
    sm_free(c);
}

/* ---- one sample ---- */

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* Share of the scheduler's periods in which the group was stopped. There are none without a
 * limit. */
static void read_throttling(struct level *l, struct sm_sensor_call *call, double *worst)
{
    struct sm_text text = sm_sensor_read(&l->cpu, call->buffer);
    uint64_t periods, throttled, all = 0, stopped = 0;
    if (!sm_sensor_value(text, "nr_periods", &periods) ||
        !sm_sensor_value(text, "nr_throttled", &throttled))
        return;
    bool known = sm_counter_next(&l->periods, periods, &all);
    if (sm_counter_next(&l->throttled, throttled, &stopped) && known && all)
        *worst = at_least(*worst, 100 * (double)stopped / (double)all);
}

static void read_memory(struct level *l, struct sm_sensor_call *call, double *worst)
{
    uint64_t used, limit;
    if (sm_sensor_read_u64(&l->used, call->buffer, &used) &&
        sm_sensor_read_u64(&l->limit, call->buffer, &limit) && limit && limit < NO_LIMIT)
        *worst = at_least(*worst, 100 * (double)used / (double)limit);
}

static void read_kills(struct level *l, struct sm_sensor_call *call, double *worst)
{
    uint64_t kills, grown = 0;
    if (sm_sensor_value(sm_sensor_read(&l->events, call->buffer), "oom_kill", &kills) &&
        sm_counter_next(&l->kills, kills, &grown))
        *worst = at_least(*worst, (double)grown);
}

static void sample_cgroup(void *state, struct sm_sensor_call *call)
{
    struct cgroup *c = state;
    double throttled = -1, memory = -1, kills = 0;
    if (c->samples < MOVED_EACH || c->samples % MOVED_EACH == 0)
        find_groups(c, call->buffer);
    c->samples++;
    for (size_t i = 0; i < c->n; i++) {
        read_throttling(&c->levels[i], call, &throttled);
        read_memory(&c->levels[i], call, &memory);
        read_kills(&c->levels[i], call, &kills);
    }
    if (throttled >= 0)
        sm_sample_add(call->out, "cgroup", "cgroup", "ThrottledPercent", throttled);
    if (memory >= 0)
        sm_sample_add(call->out, "cgroup", "cgroup", "MemoryUsedPercent", memory);
    if (kills > 0)
        sm_sample_add(call->out, "event", "cgroup", "OomKills", kills);
}

const struct sm_sensor_kind sm_cgroup_sensor = {.name = "cgroup",
                                                .of_process = true,
                                                .open = open_cgroup,
                                                .sample = sample_cgroup,
                                                .close = close_cgroup};
