/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_name.h"

#include "reader/base/str.h"
#include "reader/source/source.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number at p; -1: there is none, or it is too long to be a rank. */
static int64_t number_at(const char *p, const char **end)
{
    int64_t n = 0;
    const char *from = p;
    for (; is_digit(*p) && p - from < 10; p++)
        n = n * 10 + (*p - '0');
    *end = p;
    return p == from || is_digit(*p) ? -1 : n;
}

bool sm_trace_is_name(const char *name)
{
    size_t n = sm_source_plain_name(name);
    return (n > 5 && memcmp(name + n - 5, ".json", 5) == 0) ||
           (n > 6 && memcmp(name + n - 6, ".trace", 6) == 0);
}

int64_t sm_trace_name_rank(const char *name)
{
    const char *end;
    for (const char *p = strstr(name, "rank"); p; p = strstr(p + 4, "rank")) {
        const char *digits = p + 4 + (p[4] == '-' || p[4] == '_');
        int64_t n = number_at(digits, &end);
        if (n >= 0)
            return n;
    }
    for (const char *p = strchr(name, '_'); p; p = strchr(p + 1, '_')) {
        int64_t n = number_at(p + 1, &end);
        if (n >= 0 && *end == '.')
            return n;
    }
    return -1;
}

bool sm_trace_is_pickle_name(const char *name)
{
    return sm_ends_with(name, ".pickle") || sm_ends_with(name, ".pkl");
}

bool sm_trace_is_dump_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return sm_trace_name_rank(slash ? slash + 1 : name) >= 0;
}

int64_t sm_trace_name_step(const char *name)
{
    const char *end, *at = strstr(name, "step_");
    return at ? number_at(at + 5, &end) : -1;
}

int64_t sm_trace_step_number(const char *name)
{
    static const char word[] = "ProfilerStep";
    const char *end;
    if (strncmp(name, word, sizeof word - 1) != 0)
        return -1;
    name += sizeof word - 1;
    while (*name == ' ')
        name++;
    if (*name++ != '#')
        return -1;
    while (*name == ' ')
        name++;
    return number_at(name, &end);
}
