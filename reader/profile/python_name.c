/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/python_name.h"

#include <stdio.h>
#include <string.h>

/* Sixteen digits of microseconds go to the year 2286, nanoseconds to 2262. */
static bool to_ns(long long us, int64_t *out)
{
    return !__builtin_mul_overflow(us, 1000, out);
}

static bool read_moments(const char *dir, struct sm_python_name *out)
{
    struct sm_python_moment *a = &out->from, *b = &out->to;
    long long from_step, from_us, to_step, to_us;
    int end = 0;
    if (sscanf(dir, "%63[^-_/]-%9lld-%63[^-_/]-%16lld_%63[^-_/]-%9lld-%63[^-_/]-%16lld%n", a->mode,
               &from_step, a->phase, &from_us, b->mode, &to_step, b->phase, &to_us, &end) != 8 ||
        dir[end] != '/')
        return false;
    a->step = from_step;
    b->step = to_step;
    return to_ns(from_us, &a->ns) && to_ns(to_us, &b->ns);
}

static bool read_old(const char *dir, struct sm_python_name *out)
{
    long long from_us, to_us, step;
    int end = 0;
    if (sscanf(dir, "%16lld_%16lld_%63[^_/]_%9lld%n", &from_us, &to_us, out->node, &step, &end) !=
            4 ||
        dir[end] != '/')
        return false;
    out->from = (struct sm_python_moment){.step = step};
    out->to = (struct sm_python_moment){.step = -1};
    return to_ns(from_us, &out->from.ns) && to_ns(to_us, &out->to.ns);
}

bool sm_python_name_read(const char *path, struct sm_python_name *out)
{
    int at = 0, node_end = 0;
    *out = (struct sm_python_name){.from.step = -1, .to.step = -1};
    if (sscanf(path, "framework/%*[^/]/%63[^/]/%n", out->profiler, &at) != 1 || !at)
        return false;
    if (read_old(path + at, out))
        return true;
    return sscanf(path + at, "%63[^/]/%n", out->node, &node_end) == 1 && node_end &&
           read_moments(path + at + node_end, out);
}
