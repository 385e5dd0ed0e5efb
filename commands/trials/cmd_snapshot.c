/* snapshot: every scalar, finding and problem near a step. */
#include "commands/judge/describe_rule.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/origin/find_origin.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/trials/trials.h"
#include "reader/format/location.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
    USUAL_WINDOW = 5,
    WINDOW_MAX = 10000,
    PLACE = 3 /* columns of the step */,
    SCALARS_BESIDE = 8
};

/* A bad value: of which row of spots, and which one. */
struct bad {
    struct bad *next;
    const struct sm_node *node;
    size_t row, at;
    enum sm_fault ill;
};
/* Kept while the call waits. */
struct snapshot {
    struct sm_step around, first, last;
    struct sm_origin origin;    /* judges */
    struct bad *bad, **bad_end; /* in the result's arena */
};

static bool read_window(struct sm_call *c, struct snapshot *x, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *around = sm_call_option(c, "around"),
                         *window = sm_call_option(c, "window");
    size_t steps = sm_trial_step_count(t);
    int64_t n = USUAL_WINDOW;
    if (!steps)
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    x->around = sm_session_step(c->session);
    if ((around &&
         !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), around->text, &x->around, err)) ||
        (window && !sm_call_int(window, 0, WINDOW_MAX, &n, err)))
        return false;
    size_t at = sm_trial_step_at(t, x->around), side = (size_t)n;
    bool exact = at < steps && sm_trial_step(t, at)->step.n == x->around.n;
    size_t last = at + side - (exact || !side ? 0 : 1);
    x->first = sm_trial_step(t, at > side ? at - side : 0)->step;
    x->last = sm_trial_step(t, last < steps ? last : steps - 1)->step;
    sm_saved_values_take(c, x->last, SM_MODE_ANY, SM_NAME_NONE, &x->origin.spots);
    return true;
}

/* ---- scalars and bad values ---- */

static void add_place(struct sm_result *out, struct sm_node *row, const struct snapshot *x,
                      const struct sm_saved_value_row *r, const struct sm_saved_value *spot)
{
    const struct sm_names *names = sm_trial_names(x->origin.spots.trial);
    sm_node_int(out, row, "step", spot->step.n);
    sm_node_text(out, row, "mode", sm_mode_name(spot->mode));
    sm_node_int(out, row, "mode_step", spot->mode_step.n);
    sm_node_text(out, row, "worker", sm_trial_worker(x->origin.spots.trial, r->worker));
    sm_node_textn(out, row, "name", sm_names_text(names, r->tensor),
                  sm_names_length(names, r->tensor));
}

static void note_bad(struct snapshot *x, const struct sm_saved_value_row *r, size_t at,
                     enum sm_fault ill, const struct sm_node *node, struct sm_result *out)
{
    struct bad *b = sm_arena_xalloc(&out->arena, sizeof *b);
    *b =
        (struct bad){.node = node, .row = (size_t)(r - x->origin.spots.rows), .at = at, .ill = ill};
    *x->bad_end = b;
    x->bad_end = &b->next;
}

static bool add_spot(struct sm_call *c, struct snapshot *x, struct sm_saved_value_row *r, size_t at,
                     struct sm_result *out, struct sm_node *scalars, struct sm_node *bad,
                     struct sm_err *err)
{
    struct sm_saved_value *spot = &r->spots[at];
    const struct sm_facts *facts;
    enum sm_fault ill;
    if (!sm_origin_judge(&x->origin, r, at, &ill, err))
        return false;
    if (spot->vitals->n == 1 && spot->entry.kind == SM_ENTRY_VALUE) {
        if (!sm_fetch_stats(c->session->fetch, x->origin.spots.trial, &spot->entry, &facts, err))
            return err->code != SM_ERR_WAIT;
        struct sm_node *row = sm_node_map(out, scalars, NULL);
        add_place(out, row, x, r, spot);
        sm_node_element(out, row, "value", facts->dtype, facts->first);
    }
    if (ill != SM_FAULT_NONE) {
        struct sm_str text = {0};
        struct sm_node *row = sm_node_map(out, bad, NULL);
        add_place(out, row, x, r, spot);
        sm_value_health_text(spot->vitals, ill, &text);
        sm_node_text(out, row, "problem", sm_fault_name(ill));
        sm_node_text(out, row, "what", sm_str_text(&text));
        sm_str_clear(&text);
        note_bad(x, r, at, ill, row, out);
    }
    return true;
}

/* By step, in each by name. */
static bool add_values(struct sm_call *c, struct snapshot *x, struct sm_result *out,
                       struct sm_node *scalars, struct sm_node *bad, struct sm_err *err)
{
    const struct sm_trial *t = x->origin.spots.trial;
    bool known = true;
    x->bad = NULL;
    x->bad_end = &x->bad;
    for (size_t i = sm_trial_step_at(t, x->first); i < sm_trial_step_count(t); i++) {
        struct sm_step step = sm_trial_step(t, i)->step;
        if (step.n > x->last.n)
            break;
        for (size_t k = 0; k < x->origin.spots.n; k++) {
            struct sm_saved_value_row *r = &x->origin.spots.rows[k];
            size_t at = sm_saved_value_row_at(r, step);
            if (at < r->n && r->spots[at].step.n == step.n)
                known = add_spot(c, x, r, at, out, scalars, bad, err) && known;
        }
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the steps");
}

/* ---- what rules found, and damage ---- */

static void add_findings(struct sm_call *c, const struct snapshot *x, struct sm_result *out,
                         struct sm_node *list)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        for (size_t f = 0; f < k->n_findings; f++) {
            const struct sm_finding *found = &k->findings[f];
            if (!found->violated || found->step < x->first.n || found->step > x->last.n)
                continue;
            sm_describe_finding(out, list, r, k, found);
            sm_node_text(out, list->last, "rule", k->name);
        }
    }
}

static bool has_found(const struct sm_rules *r, const struct sm_node *name)
{
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        if (sm_text_is(name->text, sm_rules_item(r, i)->name))
            return sm_rules_item(r, i)->n_findings > 0;
    return false;
}

/* What an archive tells, of rules that find nothing in it now. False: it tells nothing. */
static bool add_stored(struct sm_call *c, const struct snapshot *x, struct sm_result *out,
                       struct sm_node *list)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    struct sm_node *rows = sm_node_list(out, NULL, NULL);
    size_t n = sm_stored_findings(out, rows, x->origin.spots.trial, NULL);
    for (const struct sm_node *row = rows->first; row; row = row->next)
        if (!has_found(r, sm_node_get(row, "instance")))
            sm_stored_details(out, list, row, x->first.n, x->last.n);
    return n > 0;
}

/* In a script what is on disk is judged first. */
static bool is_judged(const struct sm_call *c)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    bool none = !r || (!sm_rules_count(r) && !sm_rules_is_auto(r));
    return c->session->interactive || none || (sm_rules_settled(r) && !sm_rules_busy(r));
}

/* The step that a file of the trial belongs to. */
static bool step_of_file(const char *file, int64_t *step)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    struct sm_str worker = {0};
    bool found = sm_location_parse(name, ".json", step, &worker) ||
                 sm_location_parse(name, ".tfevents", step, &worker);
    sm_str_clear(&worker);
    return found;
}

static void add_damage(const struct snapshot *x, struct sm_result *out, struct sm_node *list)
{
    const struct sm_problems *p = sm_trial_problems(x->origin.spots.trial);
    int64_t step;
    for (size_t i = 0; i < p->n; i++) {
        if (!step_of_file(p->items[i].file, &step) || step < x->first.n || step > x->last.n)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "step", step);
        sm_node_text(out, row, "file", p->items[i].file);
        sm_node_text(out, row, "message", p->items[i].message);
    }
}

/* ---- how it looks ---- */

static const struct sm_column scalar_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER", .hidden = true},
    {.key = "name", .header = "NAME"},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};
static const struct sm_column bad_columns[] = {
    {.key = "steps", .header = "STEPS"},
    {.key = "worker", .header = "WORKER"},
    {.key = "name", .header = "BAD VALUES OF"},
    {.key = "what", .header = "WHAT"},
};
static const struct sm_column finding_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "rule", .header = "RULE"},
    {.key = "tensor", .header = "TENSOR"},
    {.key = "text", .header = "WHAT", .wraps = true},
};
static const struct sm_column damage_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "file", .header = "FILE", .wraps = true},
    {.key = "message", .header = "MESSAGE", .wraps = true},
};

static const char *text_of(const struct sm_node *row, const char *key)
{
    return sm_node_get(row, key)->text.p;
}

/* The names among the scalars, as columns behind the step. 0: too many to stand side by side. */
static size_t columns_of(struct sm_call *c, const struct sm_node *scalars, struct sm_result *out,
                         struct sm_column *columns)
{
    size_t n = 0;
    columns[n++] = (struct sm_column){.key = "step", .header = "STEP", .format = SM_COL_NUMBER};
    columns[n++] = (struct sm_column){.key = "mode", .header = "MODE"};
    columns[n++] =
        (struct sm_column){.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER};
    if (sm_trial_worker_count(sm_session_trial(c->session)) > 1)
        return 0;
    for (const struct sm_node *row = scalars->first; row; row = row->next) {
        const char *name = text_of(row, "name");
        size_t i = PLACE;
        while (i < n && strcmp(columns[i].key, name) != 0)
            i++;
        if (i < n)
            continue;
        if (n == PLACE + SCALARS_BESIDE)
            return 0;
        columns[n++] = (struct sm_column){.key = name,
                                          .header = sm_result_escape(out, name, strlen(name)),
                                          .format = SM_COL_NUMBER};
    }
    return n;
}

/* Scalars side by side, a row a step. */
static void show_scalars(struct sm_call *c, const struct sm_node *scalars, struct sm_result *out)
{
    struct sm_column *columns =
        sm_arena_xalloc(&out->arena, (PLACE + SCALARS_BESIDE) * sizeof *columns);
    size_t n = columns_of(c, scalars, out, columns);
    struct sm_node *table = sm_node_list(out, NULL, NULL), *row = NULL;
    int64_t step = -1;
    if (!n) {
        struct sm_column *rows = sm_arena_xalloc(&out->arena, sizeof scalar_columns);
        memcpy(rows, scalar_columns, sizeof scalar_columns);
        rows[PLACE].hidden = sm_trial_worker_count(sm_session_trial(c->session)) < 2;
        sm_result_table(out, scalars, rows, COUNT(scalar_columns));
        return;
    }
    for (const struct sm_node *s = scalars->first; s; s = s->next) {
        if (!row || sm_node_get(s, "step")->i != step) {
            step = sm_node_get(s, "step")->i;
            row = sm_node_map(out, table, NULL);
            sm_node_int(out, row, "step", step);
            sm_node_text(out, row, "mode", text_of(s, "mode"));
            sm_node_int(out, row, "mode_step", sm_node_get(s, "mode_step")->i);
        }
        struct sm_node *value = sm_arena_xalloc(&out->arena, sizeof *value);
        *value = *sm_node_get(s, "value");
        value->key = text_of(s, "name");
        value->next = NULL;
        row->last->next = value;
        row->last = value;
    }
    if (table->first)
        sm_result_table(out, table, columns, n);
}

/* One that stays bad in the same way for several of its steps. */
struct stretch {
    struct sm_node *row;
    size_t at; /* the last one */
    enum sm_fault ill;
    int64_t first, last;
    struct stretch *next;
};

static struct stretch *begin_stretch(const struct bad *b, struct sm_node *list,
                                     struct sm_result *out)
{
    struct stretch *s = sm_arena_xalloc(&out->arena, sizeof *s);
    *s = (struct stretch){.row = sm_node_map(out, list, NULL),
                          .ill = b->ill,
                          .first = sm_node_get(b->node, "step")->i};
    const char *const keys[] = {"worker", "name", "what"};
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct sm_text text = sm_node_get(b->node, keys[k])->text;
        sm_node_textn(out, s->row, keys[k], text.p, text.n);
    }
    return s;
}

/* A row for each stretch, with what was wrong at its beginning. */
static void show_bad(const struct snapshot *x, struct sm_result *out)
{
    struct stretch **open = sm_arena_xalloc(&out->arena,
                                            (x->origin.spots.n + 1) * sizeof(struct stretch *)),
                   *all = NULL, **end = &all;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool several = sm_trial_worker_count(x->origin.spots.trial) > 1;
    for (const struct bad *b = x->bad; b; b = b->next) {
        struct stretch **s = &open[b->row];
        if (!*s || (*s)->ill != b->ill || (*s)->at + 1 != b->at) {
            *s = *end = begin_stretch(b, list, out);
            end = &(*s)->next;
        }
        (*s)->at = b->at;
        (*s)->last = sm_node_get(b->node, "step")->i;
    }
    for (struct stretch *s = all; s; s = s->next)
        sm_node_text(out, s->row, "steps",
                     s->last > s->first
                         ? sm_arena_xprintf(&out->arena, "%lld..%lld", (long long)s->first,
                                            (long long)s->last)
                         : sm_arena_xprintf(&out->arena, "%lld", (long long)s->first));
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof bad_columns);
    memcpy(columns, bad_columns, sizeof bad_columns);
    columns[1].hidden = !several;
    if (all)
        sm_result_table(out, list, columns, COUNT(bad_columns));
}

static void show(struct sm_call *c, const struct snapshot *x, struct sm_result *out,
                 const struct sm_node *const *lists, bool stored)
{
    const struct {
        const struct sm_column *columns;
        size_t n;
    } tables[] = {{finding_columns, COUNT(finding_columns)},
                  {damage_columns, COUNT(damage_columns)}};
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    sm_result_text(out, "Steps %lld to %lld, around %lld", (long long)x->first.n,
                   (long long)x->last.n, (long long)x->around.n);
    show_scalars(c, lists[0], out);
    show_bad(x, out);
    for (size_t i = 0; i < COUNT(tables); i++)
        if (lists[i + 2]->first)
            sm_result_table(out, lists[i + 2], tables[i].columns, tables[i].n);
    if (stored && (!r || !sm_rules_count(r)))
        sm_result_dim(
            out,
            "Findings are those that the archive was saved with. \"rule auto\" judges it again.");
    else if (!r || !sm_rules_count(r))
        sm_result_dim(out, "No rule is attached, so nothing was found. Try \"rule auto\".");
    else if (!sm_rules_settled(r))
        sm_result_dim(out, "Rules are still judging: there may be more findings later.");
}

static bool run_snapshot(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct snapshot *x = c->state;
    if (!x) {
        x = sm_arena_xalloc(&c->arena, sizeof *x);
        if (!read_window(c, x, err))
            return false;
        c->state = x;
    }
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_int(out, map, "around", x->around.n);
    sm_node_int(out, map, "first", x->first.n);
    sm_node_int(out, map, "last", x->last.n);
    struct sm_node *lists[] = {
        sm_node_list(out, map, "scalars"), sm_node_list(out, map, "bad_values"),
        sm_node_list(out, map, "findings"), sm_node_list(out, map, "problems")};
    if (!is_judged(c))
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    if (!add_values(c, x, out, lists[0], lists[1], err))
        return false;
    add_findings(c, x, out, lists[2]);
    bool stored = add_stored(c, x, out, lists[2]);
    add_damage(x, out, lists[3]);
    show(c, x, out, (const struct sm_node *const *)lists, stored);
    out->root = map;
    out->rows = lists[0];
    out->columns = scalar_columns;
    out->n_columns = COUNT(scalar_columns);
    return true;
}

static const struct sm_option snapshot_options[] = {
    {.name = "around",
     .kind = SM_ARG_STEP,
     .value = "STEP",
     .help = "the current step unless given"},
    {.name = "window",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "so many saved steps before and behind it; 5 unless given"},
    {0},
};
const struct sm_cmd sm_cmd_snapshot = {
    .name = "snapshot",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Every scalar, bad value, finding and damaged file near a step",
    .help = "Bad values are those that bt follows: a row for as long as a tensor stays bad in one "
            "way, with what was wrong at first.\n"
            "Findings are those of attached rules, and those that an archive was saved with. "
            "Tables and -field are of the\n"
            "scalars.",
    .example = "snapshot -around 40 -window 3",
    .see_also = "backtrace rule series info",
    .options = snapshot_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .run = run_snapshot,
};
