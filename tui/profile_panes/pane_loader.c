/* SPDX-License-Identifier: Apache-2.0 */
/* The data loader: how long the training waits for data, and how many processes load. */
#include "commands/profile/step_parts.h"
#include "plot/table.h"
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

#include <string.h>

enum { PIDS_MOST = 1024, NODES_MOST = 4096 };

struct state {
    struct sm_answer_rows phases;
    uint64_t version; /* of what follows */
    size_t processes, cores;
};

/* Phases of loaders, as PyTorch's hooks name them. */
static bool is_loading(const char *phase)
{
    return strncmp(phase, "DataLoader", 10) == 0 || strncmp(phase, "DataIterator", 12) == 0;
}

static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    struct sm_err err;
    return !m->part &&
           sm_profile_phase_rows(&m->result, m->list, sm_profile_events(p), is_loading, &err);
}

static bool is_new(const uint64_t *seen, size_t n, uint64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (seen[i] == id)
            return false;
    return true;
}

/* Processes that have events of loaders: of each node, by their number if it was given. */
static size_t count_processes(const struct sm_event_store *x)
{
    struct sm_event_walk walk = {.from_ns = INT64_MIN, .to_ns = INT64_MAX};
    uint64_t *seen = sm_xalloc_zero(PIDS_MOST, sizeof *seen);
    uint32_t last = SM_NAME_NONE;
    bool loads = false;
    size_t n = 0;
    for (const struct sm_profile_event *e; n < PIDS_MOST && (e = sm_event_next(x, &walk));) {
        uint64_t id = (uint64_t)e->node << 32 | e->pid;
        if (e->phase != last)
            loads = is_loading(sm_names_text(x->names, e->phase));
        last = e->phase;
        if (loads && (!n || seen[n - 1] != id) && is_new(seen, n, id))
            seen[n++] = id;
    }
    sm_free(seen);
    return n;
}

static size_t count_cores(const struct sm_metric_store *m)
{
    uint32_t *nodes = sm_xalloc_zero(NODES_MOST, sizeof *nodes);
    size_t n = sm_usage_nodes(m, nodes, NODES_MOST), cores = 0;
    for (size_t i = 0; i < n; i++)
        cores += sm_usage_members(m, nodes[i], SM_USAGE_CPU);
    sm_free(nodes);
    return cores;
}

/* "waits for data 13.2 s, 93 % of waiting and TRAIN steps; 1 process loads, 4 cores" */
static void add_headline(const struct state *s, const struct sm_profile *p, struct sm_str *out)
{
    const struct sm_event_store *x = sm_profile_events(p);
    double waits = 0, steps = 0;
    char text[16];
    enum sm_mode mode;
    for (size_t i = 0; i < x->n_phases; i++) {
        const char *name = sm_names_text(x->names, x->phases[i].name);
        waits += sm_phase_is_wait(name) ? (double)x->phases[i].sum.total_ns : 0;
        steps += sm_phase_is_step(name, &mode) ? (double)x->phases[i].sum.total_ns : 0;
    }
    sm_format_nanoseconds(waits, text);
    sm_str_printf(out, "waits for data %s", text);
    if (waits + steps > 0 && steps > 0)
        sm_str_printf(out, ", %.0f %% of waits and steps", 100 * waits / (waits + steps));
    sm_str_printf(out, "; %zu process%s", s->processes, s->processes == 1 ? "" : "es");
    if (s->cores)
        sm_str_printf(out, ", %zu cores", s->cores);
}

static void draw_loader(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_answer_look look = {
        add_part, sm_profile_phase_columns(), "total_ns",
        "no events of a data loader in this profile",
        "framework profiling was not enabled: nothing is known of loaders"};
    const struct sm_profile *x = sm_answer_rows_ask(&s->phases, p, v, &look, g, r);
    struct sm_str text = {0};
    if (!x || !s->phases.table.n)
        return;
    if (s->version != s->phases.version) {
        s->processes = count_processes(sm_profile_events(x));
        s->cores = count_cores(sm_profile_metrics(x));
        s->version = s->phases.version;
    }
    add_headline(s, x, &text);
    sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_TEXT, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
    sm_answer_rows_draw(&s->phases, look.columns, look.bar, v, g,
                        (struct sm_rect){r.x, r.y + 1, r.w, r.h - 1}, focused, note);
    sm_profile_note(x, note);
}

static bool act_on_loader(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    (void)v;
    return sm_node_rows_act(&s->phases.table, a);
}

static void clear_loader(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_answer_rows_clear(&s->phases);
    s->version = 0;
}

static bool has_loader(const struct sm_pane *p, const struct sm_view *v)
{
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    const struct sm_event_store *e = x ? sm_profile_events(x) : NULL;
    (void)p;
    for (size_t i = 0; e && i < e->n_phases; i++)
        if (is_loading(sm_names_text(e->names, e->phases[i].name)))
            return true;
    return !x;
}

const struct sm_pane_ops sm_pane_loader = {
    .name = "loader",
    .title = "data loader",
    .help = "How long the training waits for its data, as a part of waiting and of steps; how many "
            "processes load, and how many cores there are; and the phases of the loader. A "
            "training that waits for most of the time needs more loader processes, or data that is "
            "easier to read.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "< > sort", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_loader,
    .forget = clear_loader,
    .wanted = has_loader,
    .draw = draw_loader,
    .act = act_on_loader,
};
