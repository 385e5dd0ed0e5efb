#include "tui/panes/problems.h"
#include "commands/judge/session_rules.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/format/location.h"
#include "tui/panes/tensor_health.h"
#include "tui/panes/timeline.h"
#include "tui/panes/worker_gaps.h"

#include <limits.h>
#include <string.h>

enum kind { VALUE /* or what a rule found there */, DAMAGE, GAP, ABSENCE, STALL };

/* A place where something is wrong. */
struct spot {
    int64_t step;                     /* -1: of none */
    const char *tensor;               /* "": the step as a whole */
    int kind;                         /* enum kind; of where the search begins also beyond them */
    const char *rule, *text;          /* of a VALUE; NULL: it is NaN or Inf */
    const struct sm_problem *problem; /* of DAMAGE */
    const struct sm_step_note *note;  /* of a GAP */
    const struct sm_worker_gap *absence; /* of an ABSENCE, of those that begin there the first */
};
struct search {
    struct spot from; /* where the person stands */
    int direction;
    struct spot next, first; /* the nearest behind `from`, and the one to begin again with */
    bool has_next, has_first;
};

static int compare(const struct spot *a, const struct spot *b)
{
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    int order = sm_natural_cmp(a->tensor, b->tensor);
    return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static void consider(struct search *s, struct spot x)
{
    if (compare(&x, &s->from) * s->direction > 0 &&
        (!s->has_next || compare(&x, &s->next) * s->direction < 0)) {
        s->next = x;
        s->has_next = true;
    }
    if (!s->has_first || compare(&x, &s->first) * s->direction < 0) {
        s->first = x;
        s->has_first = true;
    }
}

/* ---- where something is wrong ---- */

static void look_at_rules(const struct sm_session *s, struct search *search)
{
    const struct sm_rules *r = s->current < s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *x = sm_rules_item(r, i);
        for (size_t k = 0; k < x->n_findings; k++) {
            const struct sm_finding *f = &x->findings[k];
            if (f->violated)
                consider(search, (struct spot){.step = f->step,
                                               .tensor = f->tensor ? f->tensor : "",
                                               .kind = VALUE,
                                               .rule = x->name,
                                               .text = f->text});
        }
    }
}

static void look_at_values(struct sm_session *s, struct search *search)
{
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_facts *f;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        const struct sm_entry *e = sm_tensor_health_entry(s, x);
        if (e && sm_fetch_stats(s->fetch, t, e, &f, NULL) &&
            (f->stats.nan || f->stats.pos_inf || f->stats.neg_inf))
            consider(search, (struct spot){.step = sm_session_step(s).n,
                                           .tensor = sm_trial_tensor_name(t, x),
                                           .kind = VALUE});
    }
}

/* Files of a step have it in their names. */
static int64_t step_of(const struct sm_problem *p)
{
    const char *slash = strrchr(p->file, '/'), *name = slash ? slash + 1 : p->file;
    struct sm_str worker = {0};
    int64_t step = -1;
    if (!sm_location_parse(name, ".tfevents", &step, &worker) &&
        !sm_location_parse(name, ".json", &step, &worker))
        step = -1;
    sm_str_clear(&worker);
    return step;
}

static void look_at_files(const struct sm_trial *t, struct search *search)
{
    const struct sm_problems *p = sm_trial_problems(t);
    for (size_t i = 0; i < p->n; i++)
        consider(search, (struct spot){.step = step_of(&p->items[i]),
                                       .tensor = "",
                                       .kind = DAMAGE,
                                       .problem = &p->items[i]});
}

static void look_at_steps(const struct sm_trial *t, const struct sm_timeline *line, bool timeless,
                          struct search *search)
{
    size_t n = sm_trial_step_count(t);
    for (size_t i = 0; i < line->n && i < n; i++)
        if (line->notes[i].missing || (line->notes[i].pause_us && !timeless))
            consider(search, (struct spot){.step = sm_trial_step(t, i)->step.n,
                                           .tensor = "",
                                           .kind = GAP,
                                           .note = &line->notes[i]});
    if (sm_trial_state(t) == SM_TRIAL_STALLED && !timeless)
        consider(search, (struct spot){
                             .step = sm_trial_step(t, n - 1)->step.n, .tensor = "", .kind = STALL});
}

static void look_at_workers(const struct sm_worker_gaps *a, struct search *search)
{
    for (size_t i = 0; i < a->n; i += 1 + a->items[i].beside)
        consider(search, (struct spot){.step = a->items[i].from,
                                       .tensor = "",
                                       .kind = ABSENCE,
                                       .absence = &a->items[i]});
}

/* ---- going there ---- */

static bool has_record(const struct sm_trial *t, const struct sm_trial_tensor *x, int64_t step,
                       const struct sm_problem *p)
{
    size_t from, to;
    if (!sm_trial_entries_at(t, x, (struct sm_step){step}, &from, &to))
        return false;
    for (size_t i = from; i < to; i++) {
        const char *path = sm_trial_event_path(t, sm_trial_part(t, x->entries[i].part));
        if (path && x->entries[i].offset == (uint64_t)p->offset &&
            x->entries[i].kind != SM_ENTRY_SHAPE && strcmp(path, p->file) == 0)
            return true;
    }
    return false;
}

static const struct sm_trial_tensor *tensor_of(const struct sm_trial *t, const struct spot *x)
{
    if (*x->tensor)
        return sm_trial_find(t, x->tensor, strlen(x->tensor));
    for (size_t i = 0; x->kind == DAMAGE && x->problem->offset >= 0 && i < sm_trial_tensor_count(t);
         i++)
        if (has_record(t, sm_trial_tensor(t, i), x->step, x->problem))
            return sm_trial_tensor(t, i);
    return NULL;
}

static void tell_gap(const struct spot *x, struct sm_str *told)
{
    char text[32];
    const char *before = "";
    if (x->note->missing) {
        bool one = x->note->missing == 1;
        sm_str_printf(told, "%lld saved step%s missing", (long long)x->note->missing,
                      one ? " is" : "s are");
        before = ", and ";
    }
    if (x->note->pause_us) {
        sm_format_duration(x->note->pause_us, text);
        sm_str_printf(told, "%snothing came for %s", before, text);
    }
    sm_str_printf(told, " before step %lld", (long long)x->step);
}

static void tell_absence(const struct sm_trial *t, const struct sm_worker_gap *a,
                         struct sm_str *told)
{
    const char *name = sm_trial_worker(t, a->worker);
    sm_str_add_escaped(told, name, strlen(name));
    if (a->beside)
        sm_str_printf(told, " and %zu more", a->beside);
    if (a->lost)
        sm_str_printf(told, "%s lost: nothing at step %lld and after it",
                      a->beside ? " are" : " is", (long long)a->from);
    else
        sm_str_printf(told, "%s missing at step %lld", a->beside ? " are" : " is",
                      (long long)a->from);
    if (!a->lost && a->steps > 1)
        sm_str_printf(told, " and %zu after it", a->steps - 1);
}

static void tell_value(struct sm_session *s, const struct spot *x,
                       const struct sm_trial_tensor *tensor, struct sm_str *told)
{
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_entry *e = tensor ? sm_tensor_health_entry(s, tensor) : NULL;
    const struct sm_facts *f;
    if (x->rule) {
        sm_str_printf(told, "%s at step %lld: ", x->rule, (long long)x->step);
        sm_str_add_escaped(told, x->text, strlen(x->text));
    } else if (e && sm_fetch_stats(s->fetch, t, e, &f, NULL)) {
        sm_str_add_escaped(told, x->tensor, strlen(x->tensor));
        sm_str_printf(told, " at step %lld: ", (long long)sm_trial_part(t, e->part)->step.n);
        sm_tensor_health_text(f, told);
    }
}

static void tell(struct sm_session *s, const struct spot *x, const struct sm_trial_tensor *tensor,
                 struct sm_str *told)
{
    const struct sm_trial *t = sm_session_trial(s);
    char age[32];
    switch (x->kind) {
    case VALUE:
        tell_value(s, x, tensor, told);
        break;
    case DAMAGE:
        sm_str_add(told, "damaged: ");
        if (tensor)
            sm_str_add_escaped(told, sm_trial_tensor_name(t, tensor),
                               strlen(sm_trial_tensor_name(t, tensor)));
        else
            sm_str_add_escaped(told, x->problem->file, strlen(x->problem->file));
        if (x->step >= 0)
            sm_str_printf(told, " at step %lld", (long long)x->step);
        sm_str_add(told, ": ");
        sm_str_add_escaped(told, x->problem->message, strlen(x->problem->message));
        break;
    case GAP:
        tell_gap(x, told);
        break;
    case ABSENCE:
        tell_absence(t, x->absence, told);
        break;
    case STALL:
        sm_format_duration((sm_clock_wall_us() - sm_trial_newest_us(t)) / 1000000 * 1000000, age);
        sm_str_printf(told, "stalled: nothing has come for %s since step %lld", age,
                      (long long)x->step);
        break;
    default:
        break;
    }
}

static void go(struct sm_session *s, const struct spot *x, const struct sm_trial_tensor *tensor)
{
    s->at.tensor = tensor ? tensor->name : s->at.tensor;
    if (x->step < 0)
        return;
    if (x->step != sm_session_step(s).n || sm_trial_state(sm_session_trial(s)) != SM_TRIAL_ENDED)
        s->at.follow = false; /* a step that comes does not take it away */
    s->at.step = (struct sm_step){x->step};
}

void sm_problem_place_clear(struct sm_problem_place *at)
{
    sm_free(at->spot_tensor);
    *at = (struct sm_problem_place){0};
}

static void remember(struct sm_problem_place *at, const struct sm_session *s, const struct spot *x)
{
    char *tensor = sm_xstrdup(x->tensor);
    sm_problem_place_clear(at);
    *at =
        (struct sm_problem_place){true, sm_session_step(s), s->at.tensor, x->step, x->kind, tensor};
}

/* Where the person was brought, or has gone. */
static struct spot stand(const struct sm_session *s, const struct sm_problem_place *at,
                         int direction)
{
    const struct sm_trial *t = sm_session_trial(s);
    int64_t step = sm_session_step(s).n;
    if (at->some && at->step.n == step && at->tensor == s->at.tensor)
        return (struct spot){
            .step = at->spot_step, .tensor = at->spot_tensor, .kind = at->spot_kind};
    bool there = s->at.tensor < sm_trial_tensor_count(t);
    return (struct spot){.step = step,
                         .tensor = there ? sm_names_text(sm_trial_names(t), s->at.tensor) : "",
                         .kind = direction > 0 ? INT_MAX : INT_MIN};
}

void sm_problems_go(struct sm_session *s, struct sm_problem_place *at, int direction, bool timeless,
                    struct sm_str *told)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_timeline line = {0};
    struct sm_worker_gaps absences = {0};
    if (!t || !sm_trial_step_count(t))
        return;
    struct search search = {.direction = direction, .from = stand(s, at, direction)};
    sm_timeline_read(t, &line);
    sm_worker_gaps_read(t, &absences);
    look_at_rules(s, &search);
    look_at_values(s, &search);
    look_at_files(t, &search);
    look_at_steps(t, &line, timeless, &search);
    look_at_workers(&absences, &search);
    if (search.has_first) {
        const struct spot *x = search.has_next ? &search.next : &search.first;
        const struct sm_trial_tensor *tensor = tensor_of(t, x);
        tell(s, x, tensor, told);
        go(s, x, tensor);
        remember(at, s, x);
    } else {
        sm_str_add(told,
                   "no problem among rules, files, steps, workers, and values read at this step");
    }
    sm_timeline_clear(&line);
    sm_worker_gaps_clear(&absences);
}
