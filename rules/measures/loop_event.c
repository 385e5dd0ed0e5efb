/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/measures/loop_event.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>
#include <strings.h>

static bool communicates(const char *name)
{
    static const char *const words[] = {"nccl",           "allreduce",  "all_reduce", "allgather",
                                        "all_gather",     "alltoall",   "all_to_all", "broadcast",
                                        "reduce_scatter", "reducescat", "communicat"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(name, words[i]))
            return true;
    return false;
}

static uint8_t class_of_name(const char *name, enum sm_mode main)
{
    static const struct {
        const char *name;
        enum sm_loop_event class;
    } known[] = {{"DataLoaderIter", SM_LOOP_WAIT},
                 {"DataLoaderWorker", SM_LOOP_LOAD},
                 {"DataLoaderIterInitialize", SM_LOOP_LOADER},
                 {"DataIterator", SM_LOOP_ITERATOR},
                 {"Forward", SM_LOOP_FORWARD},
                 {"Communication", SM_LOOP_OTHERS}};
    enum sm_mode mode;
    if (sm_phase_is_step(name, &mode))
        return mode == main || main == SM_MODE_ANY ? SM_LOOP_STEP : SM_LOOP_OTHER_STEP;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return (uint8_t)known[i].class;
    return communicates(name) ? SM_LOOP_COMMUNICATION : SM_LOOP_NOTHING;
}

static uint8_t class_of_id(struct sm_loop_classes *c, const struct sm_names *names, uint32_t id)
{
    if (id >= c->cap) {
        size_t before = c->cap;
        if (!sm_vec_reserve((void **)&c->of, &c->cap, (size_t)id + 1, 1))
            return SM_LOOP_UNKNOWN;
        memset(c->of + before, SM_LOOP_UNKNOWN, c->cap - before);
    }
    if (c->of[id] == SM_LOOP_UNKNOWN)
        c->of[id] = class_of_name(sm_names_text(names, id), c->mode);
    return c->of[id];
}

/* The step takes what GetNext gives it; a Prefetch works beside the step, as do its own iterators.
 */
static bool is_waited_for(const char *name)
{
    return strstr(name, "GetNext") && !strstr(name, "Prefetch");
}

enum sm_loop_event sm_loop_event_of(struct sm_loop_classes *c, const struct sm_names *names,
                                    const struct sm_profile_event *e)
{
    if (e->instant || e->duration_ns < 0)
        return SM_LOOP_NOTHING;
    uint8_t class = class_of_id(c, names, e->phase);
    if (class == SM_LOOP_NOTHING && class_of_id(c, names, e->name) == SM_LOOP_COMMUNICATION)
        return SM_LOOP_COMMUNICATION;
    if (class == SM_LOOP_ITERATOR && !is_waited_for(sm_names_text(names, e->name)))
        return SM_LOOP_NOTHING;
    return class;
}

void sm_loop_classes_clear(struct sm_loop_classes *c)
{
    sm_free(c->of);
    *c = (struct sm_loop_classes){.mode = c->mode};
}
