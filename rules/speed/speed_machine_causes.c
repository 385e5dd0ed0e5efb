/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that show in the metrics of the machines. */
#include "reader/base/str.h"
#include "reader/profile/profile_name.h"
#include "rules/speed/speed_causes.h"

#include <math.h>

enum { COURSE = 60 };

const char *sm_speed_node_name(const struct sm_speed_case *c, const struct sm_machine *x)
{
    return sm_metric_name(c->metrics, x->node);
}

const struct sm_machine *sm_speed_machine_of(const struct sm_speed_case *c, const char *worker)
{
    for (size_t i = 0; i < c->n_machines; i++)
        if (sm_profile_same_node(sm_speed_node_name(c, &c->machines[i]), worker))
            return &c->machines[i];
    return c->n_machines ? c->machines : NULL;
}

/* The first step of the mode that begins at this time or later, else the last one; -1: none. */
static int32_t step_at(const struct sm_speed_case *c, int64_t ns)
{
    const struct sm_event_store *x = sm_profile_events(c->profile);
    for (size_t i = sm_event_step_at(x, ns); i < x->n_steps; i++)
        if (x->steps[i].mode == c->mode && x->steps[i].step >= 0)
            return x->steps[i].step;
    return c->last;
}

void sm_speed_since(const struct sm_speed_case *c, int64_t ns, struct sm_speed *out)
{
    bool begin = c->n_workers && ns <= c->from_ns && c->cut_ns == INT64_MIN;
    out->since_ns = begin ? c->begin_ns : ns;
    out->since_step = begin ? c->begin_step : step_at(c, ns);
}

void sm_speed_since_machine(const struct sm_speed_case *c, const struct sm_machine *x,
                            enum sm_machine_mean what, double limit, bool above,
                            struct sm_speed *out)
{
    double course[COURSE + 1];
    int64_t width;
    size_t n;
    sm_machine_course(x, c->metrics, what, course, &n, COURSE, &width);
    size_t i = sm_loop_onset(course, n, limit, above), known = 0;
    while (known < n && course[known] != course[known])
        known++;
    sm_speed_since(c, i < n && i > known ? x->from_ns + (int64_t)i * width : x->from_ns, out);
}

/* ---- evidence ---- */

/* Whether a GPU is used little beside one that is used at least twice as much. */
static bool is_uneven(const struct sm_speed_case *c)
{
    return c->least_gpu < SM_SPEED_GPU_LOW && c->most_gpu >= 2 * c->least_gpu;
}

static void add_cores(const struct sm_speed_case *c, const struct sm_machine *x,
                      struct sm_speed *out)
{
    double tree = sm_machine_cores(x, SM_MACHINE_TREE_CPU);
    const char *node = sm_speed_node_name(c, x);
    if (!x->cores)
        return;
    if (tree == tree)
        sm_speed_add(out, c, node, "profile system", tree / (double)x->cores,
                     "the program uses %.1f of %zu core%s, all programs use %.1f", tree, x->cores,
                     x->cores == 1 ? "" : "s", sm_machine_cores(x, SM_MACHINE_CPU));
    else
        sm_speed_add(out, c, node, "profile system", x->mean[SM_MACHINE_CPU] / 100,
                     "%.1f of %zu core%s are used", sm_machine_cores(x, SM_MACHINE_CPU), x->cores,
                     x->cores == 1 ? "" : "s");
}

void sm_speed_add_machine(const struct sm_speed_case *c, const struct sm_machine *x,
                          struct sm_speed *out)
{
    if (c->gpu == c->gpu && c->idle_gpus && c->gpus > 1)
        sm_speed_add(out, c, NULL, "profile heat", c->gpu / 100,
                     "the GPUs are used to %.0f %%: %zu of %zu do nothing", c->gpu, c->idle_gpus,
                     c->gpus);
    else if (c->gpu == c->gpu && is_uneven(c))
        sm_speed_add(out, c, NULL, "profile heat", c->gpu / 100,
                     "the GPUs are used to %.0f %%: one to %.0f %%, another to %.0f %%", c->gpu,
                     c->most_gpu, c->least_gpu);
    else if (c->gpu == c->gpu)
        sm_speed_add(out, c, NULL, "profile heat", c->gpu / 100, "the GPU%s used to %.0f %%",
                     c->gpus == 1 ? " is" : "s are", c->gpu);
    if (x)
        add_cores(c, x, out);
}

/* ---- slowed down ---- */

enum { THROTTLED = 25, SLOWED_PERCENT = 20 };
#define RAISE_LIMIT                                                                                \
    "Raise the CPU limit of the container, or start fewer threads and loader processes"
#define COOL "Look at cooling and power of the GPU (nvidia-smi -q -d PERFORMANCE)"

bool sm_speed_throttled(const struct sm_speed_case *c, struct sm_speed *out)
{
    for (size_t i = 0; i < c->n_machines && c->enough; i++) {
        const struct sm_machine *x = &c->machines[i];
        bool cpu = x->mean[SM_MACHINE_THROTTLED] >= THROTTLED && !(c->gpu >= SM_SPEED_GPU_WELL),
             gpu = 100 * x->slowed >= SLOWED_PERCENT;
        if (!cpu && !gpu)
            continue;
        if (cpu) {
            sm_speed_since_machine(c, x, SM_MACHINE_THROTTLED, THROTTLED, true, out);
            sm_speed_add(out, c, sm_speed_node_name(c, x), "profile summary",
                         x->mean[SM_MACHINE_THROTTLED] / 100,
                         "the CPU limit stopped the program in %.0f %% of the scheduler's periods",
                         x->mean[SM_MACHINE_THROTTLED]);
        }
        if (gpu) {
            if (!cpu)
                sm_speed_since(c, c->from_ns, out);
            sm_speed_add(out, c, sm_speed_node_name(c, x), "profile summary", x->slowed,
                         "a GPU ran slower for heat or power in %.0f %% of the time",
                         100 * x->slowed);
        }
        sm_speed_add_machine(c, x, out);
        sm_speed_try(out, cpu ? RAISE_LIMIT : COOL, cpu && gpu ? COOL : NULL);
        return true;
    }
    return false;
}

/* ---- disks ---- */

enum { IO_FULL = 25, IO_SOME = 50, IDLE_TREE = 50, BUSY_TREE = 80, CPU_BUSY = 90 };
#define IO_CORES   0.5
#define IO_LITTLE  1e6 /* B/s */
#define NET_LITTLE 1e7
#define IO_MUCH    1e7

/* Whether what the program itself reads and writes can be the reason; true if that is not known. */
static bool moves_bytes(const struct sm_machine *x)
{
    const double *v = x->mean;
    bool tree = v[SM_MACHINE_TREE_READ] == v[SM_MACHINE_TREE_READ];
    double bytes = tree ? v[SM_MACHINE_TREE_READ] + fmax(0, v[SM_MACHINE_TREE_WRITE])
                        : v[SM_MACHINE_READ] + fmax(0, v[SM_MACHINE_WRITE]);
    return !(bytes < IO_LITTLE) || v[SM_MACHINE_RECEIVED] >= NET_LITTLE;
}

/* The share of the wait for the loader in which the program computes: what it computes in a cycle
 * less the step. NaN: not known. */
static double computed_share(const struct sm_speed_case *c, const struct sm_machine *x)
{
    double wait = c->wait_share;
    return fmax(0, (sm_machine_cores(x, SM_MACHINE_TREE_CPU) - (1 - wait)) / wait);
}

/* Whether the program waits for its loader, reads much and computes little meanwhile, with a core
 * free: it waits for bytes, whatever the kernel counts as such. */
static bool reads_instead(const struct sm_speed_case *c, const struct sm_machine *x)
{
    const double *v = x->mean;
    return 100 * c->wait_share >= SM_SPEED_WAIT_PERCENT && c->n_workers == 1 &&
           computed_share(c, x) < IDLE_TREE / 100.0 && v[SM_MACHINE_CPU] < CPU_BUSY &&
           (v[SM_MACHINE_TREE_READ] >= IO_MUCH || v[SM_MACHINE_RECEIVED] >= IO_MUCH);
}

static bool waits_for_disks(const struct sm_speed_case *c, const struct sm_machine *x)
{
    const double *v = x->mean;
    bool waits = v[SM_MACHINE_IO_FULL] >= IO_FULL || v[SM_MACHINE_IO_SOME] >= IO_SOME ||
                 sm_machine_cores(x, SM_MACHINE_IO_WAIT) >= IO_CORES;
    bool loader = 100 * c->wait_share >= SM_SPEED_WAIT_PERCENT;
    if (reads_instead(c, x) && !(c->gpu >= SM_SPEED_GPU_WELL))
        return true;
    double idle = c->wait_share == c->wait_share ? IDLE_TREE : BUSY_TREE;
    return waits && moves_bytes(x) && !(c->gpu >= SM_SPEED_GPU_WELL) &&
           (loader || !(v[SM_MACHINE_TREE_CPU] >= idle));
}

static void add_disks(const struct sm_speed_case *c, const struct sm_machine *x,
                      struct sm_speed *out)
{
    const double *v = x->mean;
    const char *node = sm_speed_node_name(c, x);
    bool tree = v[SM_MACHINE_TREE_READ] == v[SM_MACHINE_TREE_READ];
    double read = fmax(0, v[tree ? SM_MACHINE_TREE_READ : SM_MACHINE_READ]),
           written = fmax(0, v[tree ? SM_MACHINE_TREE_WRITE : SM_MACHINE_WRITE]);
    char in[16], to[16];
    sm_format_bytes((uint64_t)fmin(read, 1e18), in);
    sm_format_bytes((uint64_t)fmin(written, 1e18), to);
    if (v[SM_MACHINE_IO_SOME] >= 0)
        sm_speed_add(out, c, node, "profile summary", v[SM_MACHINE_IO_SOME] / 100,
                     "programs waited for disks in %.0f %% of the time, all of them in %.0f %%",
                     v[SM_MACHINE_IO_SOME], fmax(0, v[SM_MACHINE_IO_FULL]));
    else
        sm_speed_add(out, c, node, "profile system",
                     sm_machine_cores(x, SM_MACHINE_IO_WAIT) / (double)x->cores,
                     "%.1f of %zu cores wait for disks", sm_machine_cores(x, SM_MACHINE_IO_WAIT),
                     x->cores);
    sm_speed_add(out, c, node, "profile summary", read, "%s %s a second, and %s %s",
                 tree ? "the program reads" : "the machine reads", in,
                 tree ? "it writes" : "writes", to);
}

static void add_waits(const struct sm_speed_case *c, const struct sm_machine *x,
                      struct sm_speed *out)
{
    if (100 * c->wait_share < SM_SPEED_WAIT_PERCENT || c->wait_share != c->wait_share)
        return;
    if (reads_instead(c, x))
        sm_speed_add(out, c, NULL, "profile phases", c->wait_share,
                     "the data loader is waited for in %.0f %% of the time of a step, and the "
                     "program computes in %.0f %% of that",
                     100 * c->wait_share, 100 * computed_share(c, x));
    else
        sm_speed_add(out, c, NULL, "profile phases", c->wait_share,
                     "the data loader is waited for in %.0f %% of the time of a step",
                     100 * c->wait_share);
}

bool sm_speed_io_bound(const struct sm_speed_case *c, struct sm_speed *out)
{
    for (size_t i = 0; i < c->n_machines && c->enough; i++) {
        const struct sm_machine *x = &c->machines[i];
        if (!waits_for_disks(c, x))
            continue;
        add_disks(c, x, out);
        if (reads_instead(c, x) && x->mean[SM_MACHINE_IO_SOME] < IO_FULL)
            sm_speed_since_machine(c, x, SM_MACHINE_TREE_READ, IO_MUCH / 2, true, out);
        else if (x->mean[SM_MACHINE_IO_SOME] >= IO_FULL)
            sm_speed_since_machine(c, x, SM_MACHINE_IO_SOME, IO_FULL, true, out);
        else
            sm_speed_since_machine(c, x, SM_MACHINE_IO_WAIT, 50 * IO_CORES / (double)x->cores, true,
                                   out);
        add_waits(c, x, out);
        sm_speed_add_machine(c, x, out);
        return true;
    }
    return false;
}

/* ---- cores and GPUs ---- */

enum { ONE_CORE = 90, HALF_A_CORE = 50, SEVERAL = 150 };
#define OWN_SHARE 0.8 /* of the cores: the program itself keeps them busy */

bool sm_speed_is_crowded(const struct sm_speed_case *c, const struct sm_machine *x)
{
    double workers = (double)c->n_workers / (double)c->n_machines;
    return c->n_workers && 100 * c->wait_share < SM_SPEED_WAIT_PERCENT && c->gpu != c->gpu &&
           x->mean[SM_MACHINE_CPU] >= SM_SPEED_CROWDED &&
           x->mean[SM_MACHINE_TREE_CPU] < fmax(ONE_CORE, HALF_A_CORE * workers);
}

/* Whether the cores hold the program up: all of them, or with idle GPUs the one it runs on. */
static bool is_busy(const struct sm_speed_case *c, const struct sm_machine *x)
{
    double cpu = x->mean[SM_MACHINE_CPU], tree = x->mean[SM_MACHINE_TREE_CPU];
    bool own = !(tree < OWN_SHARE * 100 * (double)x->cores);
    if (c->gpu == c->gpu)
        return cpu >= CPU_BUSY || x->busiest_core >= CPU_BUSY ||
               tree >= ONE_CORE * fmax(1, (double)(x->gpus - x->idle_gpus));
    /* a worker that computes on several cores would use those that others have taken */
    double workers = (double)c->n_workers / (double)c->n_machines;
    bool parallel =
        workers > 0 && tree >= SEVERAL * fmax(1, workers) && tree >= 50 * (double)x->cores;
    return x->cores && cpu >= CPU_BUSY && (own || parallel);
}

bool sm_speed_cpu_bound(const struct sm_speed_case *c, struct sm_speed *out)
{
    if (!c->enough || c->gpu >= SM_SPEED_GPU_LOW)
        return false;
    for (size_t i = 0; i < c->n_machines; i++) {
        const struct sm_machine *x = &c->machines[i];
        if (!is_busy(c, x) && !sm_speed_is_crowded(c, x))
            continue;
        if (c->gpu == c->gpu && x->series[SM_MACHINE_GPU])
            sm_speed_since_machine(c, x, SM_MACHINE_GPU, SM_SPEED_GPU_LOW, false, out);
        else
            sm_speed_since_machine(c, x, SM_MACHINE_CPU, CPU_BUSY * OWN_SHARE, true, out);
        sm_speed_add_machine(c, x, out);
        if (x->mean[SM_MACHINE_CPU_SOME] >= 1)
            sm_speed_add(out, c, sm_speed_node_name(c, x), "profile summary",
                         x->mean[SM_MACHINE_CPU_SOME] / 100,
                         "programs waited for a core in %.0f %% of the time",
                         x->mean[SM_MACHINE_CPU_SOME]);
        if (!is_busy(c, x))
            sm_speed_try(out,
                         "Stop the other programs on this machine, or move the run to a free one",
                         "Reserve cores for the run (a job of its own, cpuset, nice)");
        return true;
    }
    return false;
}

bool sm_speed_gpu_underused(const struct sm_speed_case *c, struct sm_speed *out)
{
    const struct sm_machine *least = NULL;
    if (!(c->gpu < SM_SPEED_GPU_LOW || (c->gpu == c->gpu && is_uneven(c))))
        return false;
    for (size_t i = 0; i < c->n_machines; i++)
        if (c->machines[i].gpus && (!least || c->machines[i].least_gpu < least->least_gpu))
            least = &c->machines[i];
    if (least)
        sm_speed_since_machine(c, least, SM_MACHINE_GPU, SM_SPEED_GPU_LOW, false, out);
    sm_speed_add_machine(c, least, out);
    if (c->n_workers)
        sm_speed_add(out, c, NULL, "profile phases", c->wait_share,
                     c->wait_share == c->wait_share
                         ? "the data loader is waited for in %.0f %% of the time of a step"
                         : "how long the data loader is waited for was not recorded",
                     100 * c->wait_share);
    return true;
}
