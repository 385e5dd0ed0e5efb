/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/python_name.h"

#include <stdio.h>
#include <string.h>

/* Sixteen digits of microseconds: to the year 2286. */
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
    a->ns = from_us * 1000;
    b->step = to_step;
    b->ns = to_us * 1000;
    return true;
}

static bool read_old(const char *dir, struct sm_python_name *out)
{
    long long from_us, to_us, step;
    int end = 0;
    if (sscanf(dir, "%16lld_%16lld_%63[^_/]_%9lld%n", &from_us, &to_us, out->node, &step, &end) !=
            4 ||
        dir[end] != '/')
        return false;
    out->from = (struct sm_python_moment){.step = step, .ns = from_us * 1000};
    out->to = (struct sm_python_moment){.step = -1, .ns = to_us * 1000};
    return true;
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
