/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/runs/run_session.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/tensorboard/tensorboard_session.h"
#include "reader/trial_kinds.h"

#include <string.h>

/* What is known of a run: of a session the run above it, of that its sessions. */
struct note {
    size_t above; /* 1 + its index; 0: it is no session */
    uint32_t config;
    bool has_sessions, differ;
};
struct marking {
    struct sm_run_list *list;
    struct sm_source *source;
    struct sm_names *paths; /* of TensorBoard's runs */
    size_t *runs;           /* by path: the run */
    struct note *notes;     /* by run */
    bool failed;
};

static bool is_of_board(const struct sm_run_ref *run)
{
    return run->kind == &sm_trial_kind_tensorboard && !run->member;
}

static void add_paths(struct marking *m)
{
    for (size_t i = 0; i < m->list->n && !m->failed; i++) {
        const struct sm_run_ref *run = &m->list->items[i];
        if (!is_of_board(run))
            continue;
        uint32_t id = sm_names_add(m->paths, run->path, strlen(run->path));
        m->failed = id == SM_NAME_NONE;
        if (!m->failed)
            m->runs[id] = i;
    }
}

/* 1 + the run in whose folder the run is; 0: none. */
static size_t run_above(const struct marking *m, const struct sm_run_ref *run)
{
    const char *slash = strrchr(run->path, '/');
    if (!is_of_board(run) || strcmp(run->path, ".") == 0)
        return 0;
    uint32_t id =
        sm_names_find(m->paths, slash ? run->path : ".", slash ? (size_t)(slash - run->path) : 1);
    return id == SM_NAME_NONE ? 0 : m->runs[id] + 1;
}

static void note_session(struct marking *m, size_t i)
{
    const struct sm_run_ref *run = &m->list->items[i];
    struct note *x = &m->notes[i];
    size_t above = run_above(m, run);
    if (!above || sm_board_look_at(m->source, run->path, &x->config) != SM_BOARD_SESSION)
        return;
    struct note *of = &m->notes[above - 1];
    x->above = above;
    of->differ = of->differ || (of->has_sessions && of->config != x->config);
    of->has_sessions = true;
    of->config = x->config;
}

static void mark(struct marking *m, size_t i)
{
    const struct note *x = &m->notes[i];
    if (!x->above)
        return;
    const struct note *of = &m->notes[x->above - 1];
    m->list->items[i].session = true;
    m->list->items[i].joined = !of->differ && !m->list->items[x->above - 1].bare;
}

bool sm_run_mark_sessions(struct sm_run_list *list, struct sm_source *source)
{
    struct marking m = {.list = list,
                        .source = source,
                        .paths = sm_names_new(),
                        .runs = sm_alloc_zero(list->n + 1, sizeof *m.runs),
                        .notes = sm_alloc_zero(list->n + 1, sizeof *m.notes)};
    m.failed = !m.paths || !m.runs || !m.notes;
    if (!m.failed)
        add_paths(&m);
    for (size_t i = 0; i < list->n && !m.failed; i++)
        note_session(&m, i);
    for (size_t i = 0; i < list->n && !m.failed; i++)
        mark(&m, i);
    sm_names_free(m.paths);
    sm_free(m.runs);
    sm_free(m.notes);
    return !m.failed;
}

bool sm_run_put_sessions_last(struct sm_run_list *list)
{
    struct sm_run_ref *sessions = sm_alloc_zero(list->n + 1, sizeof *sessions);
    bool ok = sessions;
    size_t n = 0, kept = 0;
    for (size_t i = 0; ok && i < list->n; i++)
        if (list->items[i].session)
            sessions[n++] = list->items[i];
        else
            list->items[kept++] = list->items[i];
    for (size_t i = 0; i < n; i++)
        list->items[kept++] = sessions[i];
    sm_free(sessions);
    return ok;
}
