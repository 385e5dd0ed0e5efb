/* SPDX-License-Identifier: Apache-2.0 */
/* Too little memory, and memory that grows. */
#include "reader/base/str.h"
#include "rules/speed/speed_causes.h"

#include <math.h>

enum { FULL = 10, SOME = 20, THRASHES = 5, TIGHT = 90, NEARLY_ALL = 95, ALL = 98 };
#define NO_WAITS 1.0 /* %: below it nobody waits for memory, however full it is */

#define MOST_OF_A_STEP 0.5 /* the wait for data that comes before what the machine says */
#define SWAPS          1.0 /* points of the swap space, from its mean to its most */

/* Programs wait for memory, and a limit is near: pages are read again and again. */
static bool thrashes(const struct sm_machine *x, enum sm_machine_mean of)
{
    return x->mean[SM_MACHINE_MEMORY_SOME] >= THRASHES && x->mean[of] >= TIGHT;
}

/* Waits for memory are those of all programs of the machine: others may press within limits of
 * their own. They are the run's only if the machine, or its control group, has little memory left,
 * or swaps. True if none of it was recorded. */
static bool is_short(const struct sm_machine *x)
{
    const double *most = x->max;
    bool known = most[SM_MACHINE_MEMORY] >= 0 || most[SM_MACHINE_LIMIT] >= 0;
    return !known || most[SM_MACHINE_MEMORY] >= TIGHT || most[SM_MACHINE_LIMIT] >= TIGHT ||
           most[SM_MACHINE_SWAP] - x->mean[SM_MACHINE_SWAP] >= SWAPS;
}

static bool waits_much(const struct sm_machine *x)
{
    return x->mean[SM_MACHINE_MEMORY_FULL] >= FULL || x->mean[SM_MACHINE_MEMORY_SOME] >= SOME;
}

static bool lacks_memory(const struct sm_speed_case *c, const struct sm_machine *x)
{
    if (thrashes(x, SM_MACHINE_LIMIT))
        return true;
    return !(c->wait_share >= MOST_OF_A_STEP) &&
           (thrashes(x, SM_MACHINE_MEMORY) || (waits_much(x) && is_short(x)) ||
            (x->mean[SM_MACHINE_MEMORY] >= NEARLY_ALL && x->max[SM_MACHINE_MEMORY] >= ALL &&
             !(x->mean[SM_MACHINE_MEMORY_SOME] < NO_WAITS)));
}

/* ---- memory that grows ---- */

enum { GROWTH_PARTS = 16, GROWTH_FULL = 80, GROWTH_RISE = 10, GROWTH_SECONDS = 30 };
#define GROWTH_NOISE 0.5 /* points: by which a part may be below the one before */
#define GROWTH_BYTES 5e8 /* what grows by less is said only of a program that lacked memory */

/* Whether values never fall for three quarters of the range, to its end. from, to: of these; the
 * last part must have its share of the rise, else the growth has ended. */
static bool rises(const struct sm_speed_case *c, const struct sm_machine *x,
                  enum sm_machine_mean what, double noise, double *from, double *to)
{
    double course[GROWTH_PARTS + 1];
    int64_t width;
    size_t n, first;
    sm_machine_course(x, c->metrics, what, course, &n, GROWTH_PARTS, &width);
    first = n / 4;
    for (size_t i = first; i < n; i++)
        if (course[i] != course[i] || (i > first && course[i] < course[i - 1] - noise))
            return false;
    if (n - first < GROWTH_PARTS / 4)
        return false;
    *from = course[first];
    *to = course[n - 1];
    return *to - course[n - 3] > (*to - *from) / (double)(n - first);
}

/* Whether memory that is nearly used up has grown all the time, and will be full before the run has
 * gone on as long as it has gone: a leak. Of the machine's memory that of the program must grow,
 * too. What a control group counts has its page cache in it, so that says nothing. */
static bool leaks(const struct sm_speed_case *c, const struct sm_machine *x,
                  enum sm_machine_mean what, double *from, double *to)
{
    double a, b;
    bool own = what != SM_MACHINE_MEMORY || !x->series[SM_MACHINE_RESIDENT] ||
               (rises(c, x, SM_MACHINE_RESIDENT, 1e8, &a, &b) && b > 1.1 * a);
    return (double)(x->to_ns - x->from_ns) >= GROWTH_SECONDS * 1e9 &&
           rises(c, x, what, GROWTH_NOISE, from, to) && *to >= GROWTH_FULL &&
           *to - *from >= GROWTH_RISE && 100 - *to <= *to - *from && own;
}

static bool say_leak(const struct sm_speed_case *c, struct sm_speed *out)
{
    static const struct {
        enum sm_machine_mean what;
        const char *text;
    } of[] = {{SM_MACHINE_MEMORY, "memory of the machine"}, {SM_MACHINE_GPU_MEMORY, "GPU memory"}};
    double from, to;
    for (size_t i = 0; i < c->n_machines && c->enough; i++)
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            const struct sm_machine *x = &c->machines[i];
            if (!x->series[of[k].what] || !leaks(c, x, of[k].what, &from, &to))
                continue;
            sm_speed_since(c, x->from_ns, out);
            sm_speed_add(out, c, sm_speed_node_name(c, x), "profile system", to / 100,
                         "the %s that is used grows all the time, from %.0f to %.0f %%", of[k].text,
                         from, to);
            return true;
        }
    return false;
}

/* When all memory of the machine is used, if it goes on growing as it did; 0: it does not grow. */
static double seconds_left(const struct sm_speed_case *c, const struct sm_machine *x)
{
    double from, to, seconds = 0.75 * ((double)x->to_ns - (double)x->from_ns) / 1e9;
    if (!x->series[SM_MACHINE_MEMORY] ||
        !rises(c, x, SM_MACHINE_MEMORY, GROWTH_NOISE, &from, &to) || !(to > from))
        return 0;
    return (100 - to) / (to - from) * seconds;
}

/* The memory of a program that grows all the time, by `least` bytes. */
static void add_growth(const struct sm_speed_case *c, const struct sm_machine *x, double least,
                       struct sm_speed *out)
{
    double from, to, left;
    char a[16], b[16], when[16];
    if (!x->series[SM_MACHINE_RESIDENT] || !rises(c, x, SM_MACHINE_RESIDENT, 1e7, &from, &to) ||
        !(to >= 1.2 * from) || !(to - from >= least))
        return;
    left = x->killed > 0 ? 0 : seconds_left(c, x);
    sm_format_bytes((uint64_t)fmin(from, 1e18), a);
    sm_format_bytes((uint64_t)fmin(to, 1e18), b);
    sm_format_nanoseconds(fmin(left, 1e9) * 1e9, when);
    sm_speed_add(out, c, sm_speed_node_name(c, x), "profile system", to,
                 "the memory of the program grows all the time, from %s to %s%s%s", a, b,
                 left > 0 ? "; if it goes on, that of the machine is full in " : "",
                 left > 0 ? when : "");
}

void sm_speed_add_growth(const struct sm_speed_case *c, struct sm_speed *out)
{
    for (size_t i = 0; i < c->n_machines && c->enough; i++)
        if ((double)(c->machines[i].to_ns - c->machines[i].from_ns) >= GROWTH_SECONDS * 1e9)
            add_growth(c, &c->machines[i], GROWTH_BYTES, out);
}

static void add_memory(const struct sm_speed_case *c, const struct sm_machine *x,
                       struct sm_speed *out)
{
    const char *node = sm_speed_node_name(c, x);
    if (x->killed > 0)
        sm_speed_add(out, c, node, "profile summary", x->killed,
                     "%.0f process%s killed for lack of memory", x->killed,
                     x->killed > 1 ? "es were" : " was");
    add_growth(c, x, 0, out);
    if (x->mean[SM_MACHINE_MEMORY_SOME] >= 1)
        sm_speed_add(out, c, node, "profile summary", x->mean[SM_MACHINE_MEMORY_SOME] / 100,
                     "programs waited for memory in %.0f %% of the time, all of them in %.0f %%",
                     x->mean[SM_MACHINE_MEMORY_SOME], fmax(0, x->mean[SM_MACHINE_MEMORY_FULL]));
    if (x->max[SM_MACHINE_LIMIT] >= 0)
        sm_speed_add(out, c, node, "profile summary", x->max[SM_MACHINE_LIMIT] / 100,
                     "up to %.0f %% of the memory limit of the control group is used",
                     x->max[SM_MACHINE_LIMIT]);
    if (x->max[SM_MACHINE_MEMORY] >= 0)
        sm_speed_add(out, c, node, "profile summary", x->max[SM_MACHINE_MEMORY] / 100,
                     "up to %.0f %% of the memory of the machine is used",
                     x->max[SM_MACHINE_MEMORY]);
}

bool sm_speed_memory_pressure(const struct sm_speed_case *c, struct sm_speed *out)
{
    for (size_t i = 0; i < c->n_machines; i++) {
        const struct sm_machine *x = &c->machines[i];
        if (!(x->killed > 0) && !(c->enough && lacks_memory(c, x)))
            continue;
        if (x->killed > 0 && !lacks_memory(c, x))
            sm_speed_since(c, x->killed_ns, out);
        else if (x->mean[SM_MACHINE_MEMORY_SOME] >= THRASHES)
            sm_speed_since_machine(c, x, SM_MACHINE_MEMORY_SOME, THRASHES / 2.0, true, out);
        else
            sm_speed_since_machine(c, x, SM_MACHINE_MEMORY, NEARLY_ALL, true, out);
        add_memory(c, x, out);
        return true;
    }
    return say_leak(c, out);
}
