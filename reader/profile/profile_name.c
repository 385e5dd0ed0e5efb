/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/profile_name.h"

#include <string.h>

enum { SECONDS_DIGITS = 10, NUMBER_DIGITS = 18 };

/* The number that a name begins with; returns its digits, 0: none, or too many. */
static size_t read_number(const char *p, int64_t *out)
{
    size_t n = strspn(p, "0123456789");
    *out = 0;
    for (size_t i = 0; i < n && n <= NUMBER_DIGITS; i++)
        *out = *out * 10 + (p[i] - '0');
    return n <= NUMBER_DIGITS ? n : 0;
}

static enum sm_pevents_kind kind_of(const char *suffix)
{
    static const struct {
        const char *word;
        enum sm_pevents_kind kind;
    } known[] = {
        {"pythontimeline", SM_PEVENTS_PYTHON},
        {"model_timeline", SM_PEVENTS_MODEL},
        {"horovod", SM_PEVENTS_HOROVOD},
        {"smdataparallel", SM_PEVENTS_DATAPARALLEL},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(suffix, known[i].word))
            return known[i].kind;
    return SM_PEVENTS_OTHER;
}

/* <minute>.algo-<n>.json */
static bool read_metrics(const char *name, struct sm_profile_name *out)
{
    size_t n = read_number(name, &out->order_us);
    const char *node = name + n + 1;
    if (n != SECONDS_DIGITS || strncmp(name + n, ".algo-", 6) != 0)
        return false;
    size_t digits = strspn(node + 5, "0123456789");
    if (!digits || strcmp(node + 5 + digits, ".json") != 0)
        return false;
    out->metrics = true;
    out->order_us *= 1000000;
    out->node = (struct sm_text){node, 5 + digits};
    return true;
}

/* Traces of torch.profiler are not read here: who writes them into this tree, as our hook does, has
 * their operators in the timeline, too. */
static bool read_trace(const char *name, struct sm_profile_name *out)
{
    if (!sm_ends_with(name, ".trace.json") || sm_ends_with(name, ".pt.trace.json"))
        return false;
    out->kind = SM_PEVENTS_TENSORFLOW;
    out->node = (struct sm_text){name, strlen(name) - 11};
    return true;
}

/* <end_us>_<node>_<suffix>.json, or <node>_<suffix>.tmp */
static bool read_timeline(const char *name, struct sm_profile_name *out)
{
    const char *node = name, *end;
    out->temporary = sm_ends_with(name, ".tmp");
    if (!out->temporary) {
        size_t n = read_number(name, &out->order_us);
        if (!n || name[n] != '_' || !sm_ends_with(name, ".json"))
            return false;
        node = name + n + 1;
    }
    end = strchr(node, '_');
    if (!end || end == node)
        return false;
    out->node = (struct sm_text){node, (size_t)(end - node)};
    out->kind = kind_of(end + 1);
    return !out->temporary || out->kind != SM_PEVENTS_OTHER;
}

bool sm_profile_name_read(const char *path, bool in_system, struct sm_profile_name *out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    *out = (struct sm_profile_name){0};
    if (in_system)
        return read_metrics(name, out);
    return read_trace(name, out) ||
           (read_timeline(name, out) && (out->temporary || strstr(path, "pevents")));
}

bool sm_profile_metadata_read(const char *name, struct sm_text *node, int64_t *start_us)
{
    const char *first = strchr(name, '_');
    size_t n = first ? read_number(first + 1, start_us) : 0;
    if (!n || first[1 + n] != '_' || !sm_ends_with(name, ".metadata"))
        return false;
    *node = (struct sm_text){name, (size_t)(first - name)};
    return true;
}

void sm_profile_node_name(struct sm_text node, struct sm_str *out)
{
    size_t pid = 0;
    while (pid < node.n && node.p[pid] >= '0' && node.p[pid] <= '9')
        pid++;
    if (pid && node.n > pid + 6 && memcmp(node.p + pid, "-algo-", 6) == 0) {
        sm_str_addn(out, node.p + pid + 1, node.n - pid - 1);
        sm_str_addc(out, '-');
        sm_str_addn(out, node.p, pid);
    } else {
        sm_str_addn(out, node.p, node.n);
    }
}

bool sm_profile_same_node(const char *system, const char *framework)
{
    size_t n = strlen(system);
    return strncmp(system, framework, n) == 0 && (!framework[n] || framework[n] == '-');
}
