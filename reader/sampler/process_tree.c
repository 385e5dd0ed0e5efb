/* SPDX-License-Identifier: Apache-2.0 */
/* A process with all its descendants: CPU, memory, I/O, threads.
 *
 * A process that has ended and was waited for is in the counters of its parent, so the sum over the
 * living ones never loses what was used. Children of the main threads are looked for every second,
 * those of all threads every ten: most processes are started by main threads, and the list costs a
 * read for each thread. A process whose parent has ended stays in the tree. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/sampler/sensor.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4096, MAIN_US = 1000000, ALL_US = 10000000 };

struct process {
    int pid;
    struct sm_sensor_file stat, io;
};
struct tree {
    int root;
    long ticks_per_second, page_bytes;
    struct process *items;
    size_t n, cap;
    int64_t main_at_us, all_at_us; /* when to look for children again */
    struct sm_counter cpu, read, written;
    struct sm_sensor_buffer *buffer;
    size_t looking_at; /* the process whose threads are listed */
};
struct totals {
    uint64_t ticks, resident, threads, read, written;
    size_t processes, with_io;
};

/* ---- which processes ---- */

static bool add_process(struct tree *t, uint64_t pid)
{
    if (pid > INT_MAX || t->n >= MOST || !SM_VEC_ROOM(t->items, t->n, t->cap))
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].pid == (int)pid)
            return true;
    struct process *p = &t->items[t->n];
    p->pid = (int)pid;
    if (!sm_sensor_open(&p->stat, t->root, "proc/%d/stat", p->pid))
        return false;
    sm_sensor_open(&p->io, t->root, "proc/%d/io", p->pid);
    t->n++;
    return true;
}

static void remove_process(struct tree *t, size_t i)
{
    sm_sensor_close(&t->items[i].stat);
    sm_sensor_close(&t->items[i].io);
    t->items[i] = t->items[--t->n];
}

static void add_children(struct tree *t, struct sm_text text)
{
    uint64_t pid;
    while (text.n)
        if (sm_sensor_u64(&text, &pid))
            add_process(t, pid);
}

static void look_at_thread(void *ctx, const char *thread)
{
    struct tree *t = ctx;
    int pid = t->items[t->looking_at].pid;
    add_children(t,
                 sm_sensor_read_once(t->buffer, t->root, "proc/%d/task/%s/children", pid, thread));
}

/* The list grows while it is walked, so that children of children are found. */
static void look_for_children(struct tree *t, bool all_threads)
{
    for (t->looking_at = 0; t->looking_at < t->n; t->looking_at++) {
        char path[64];
        snprintf(path, sizeof path, "%d", t->items[t->looking_at].pid);
        if (!all_threads) {
            look_at_thread(t, path);
            continue;
        }
        snprintf(path, sizeof path, "proc/%d/task", t->items[t->looking_at].pid);
        sm_sensor_list(t->root, path, MOST, look_at_thread, t);
    }
}

static void look_if_due(struct tree *t, int64_t now_us)
{
    bool all = now_us >= t->all_at_us;
    if (!all && now_us < t->main_at_us)
        return;
    look_for_children(t, all);
    t->main_at_us = now_us + MAIN_US;
    if (all)
        t->all_at_us = now_us + ALL_US;
}

/* ---- opening ---- */

static void close_tree(void *state)
{
    struct tree *t = state;
    while (t->n)
        remove_process(t, t->n - 1);
    sm_free(t->items);
    sm_free(t);
}

/* Without the kernel's lists of children the figures would be those of one process only. */
static void *open_tree(const struct sm_sensor_place *place)
{
    struct tree *t = sm_alloc_zero(1, sizeof *t);
    struct sm_sensor_file children;
    if (!t)
        return NULL;
    t->root = place->own_root;
    t->buffer = place->buffer;
    t->ticks_per_second = sysconf(_SC_CLK_TCK);
    t->page_bytes = sysconf(_SC_PAGESIZE);
    bool lists =
        sm_sensor_open(&children, t->root, "proc/%d/task/%d/children", place->pid, place->pid);
    sm_sensor_close(&children);
    if (lists && add_process(t, (uint64_t)place->pid))
        return t;
    close_tree(t);
    return NULL;
}

/* ---- one sample ---- */

/* "PID (any name) S ppid ...": fields 14 to 24 of proc(5), from the last parenthesis. */
static bool read_stat(struct sm_text text, struct totals *sum)
{
    uint64_t f[25] = {0};
    struct sm_text word;
    const char *name_end = text.n ? memrchr(text.p, ')', text.n) : NULL;
    if (!name_end)
        return false;
    text = (struct sm_text){name_end + 1, text.n - (size_t)(name_end + 1 - text.p)};
    for (int i = 3; i <= 24; i++) {
        if (!sm_sensor_word(&text, &word))
            return false;
        if (!sm_sensor_number(word, &f[i]))
            f[i] = 0; /* some are negative, or letters */
    }
    sum->ticks += f[14] + f[15] + f[16] + f[17];
    sum->threads += f[20];
    sum->resident += f[24];
    return true;
}

static void read_io(struct sm_text text, struct totals *sum)
{
    uint64_t in, out;
    if (!sm_sensor_value(text, "read_bytes:", &in) || !sm_sensor_value(text, "write_bytes:", &out))
        return;
    sum->read += in;
    sum->written += out;
    sum->with_io++;
}

static struct totals read_all(struct tree *t, struct sm_sensor_buffer *buffer)
{
    struct totals sum = {0};
    for (size_t i = t->n; i-- > 0;) {
        if (!read_stat(sm_sensor_read(&t->items[i].stat, buffer), &sum)) {
            remove_process(t, i);
            continue;
        }
        sum.processes++;
        read_io(sm_sensor_read(&t->items[i].io, buffer), &sum);
    }
    return sum;
}

static void sample_tree(void *state, struct sm_sensor_call *call)
{
    static const char type[] = "process", name[] = "tree";
    struct tree *t = state;
    look_if_due(t, call->mono_us);
    struct totals sum = read_all(t, call->buffer);
    if (!sum.processes)
        return;
    sm_counter_rate(&t->cpu, sum.ticks, 100.0 / (double)t->ticks_per_second, call, type, name,
                    "CPUPercent");
    sm_sample_add(call->out, type, name, "ResidentBytes",
                  (double)sum.resident * (double)t->page_bytes);
    sm_sample_add(call->out, type, name, "Threads", (double)sum.threads);
    sm_sample_add(call->out, type, name, "Processes", (double)sum.processes);
    if (sum.with_io != sum.processes)
        return; /* processes of another user do not show theirs */
    sm_counter_rate(&t->read, sum.read, 1, call, type, name, "ReadBytesPerSecond");
    sm_counter_rate(&t->written, sum.written, 1, call, type, name, "WriteBytesPerSecond");
}

const struct sm_sensor_kind sm_tree_sensor = {.name = "tree",
                                              .of_process = true,
                                              .open = open_tree,
                                              .sample = sample_tree,
                                              .close = close_tree};
