/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/step_parts.h"

#include "plot/table.h"
#include "rules/measures/measures.h"

#include <string.h>

bool sm_phase_is_wait(const char *phase)
{
    return strcmp(phase, "DataLoaderIter") == 0 || strcmp(phase, "DataIterator") == 0;
}

/* SM_STEP_PARTS: none of them. */
static enum sm_step_part part_of(enum sm_loop_event what, const char *phase)
{
    return what == SM_LOOP_WAIT || what == SM_LOOP_ITERATOR    ? SM_STEP_DATA
           : what == SM_LOOP_FORWARD                           ? SM_STEP_FORWARD
           : what == SM_LOOP_OTHERS                            ? SM_STEP_OTHERS
           : strncmp(phase, "Backward(post-forward)", 22) == 0 ? SM_STEP_BACKWARD
           : strcmp(phase, "Optimizer") == 0                   ? SM_STEP_OPTIMIZER
                                                               : SM_STEP_PARTS;
}

/* Whether an event lies in a backward pass of its process. */
static bool is_in_backward(const struct sm_event_store *x, const struct sm_profile_event *e)
{
    struct sm_event_walk w = {.from_ns = e->start_ns, .to_ns = sm_event_end(e)};
    for (const struct sm_profile_event *k; (k = sm_event_next(x, &w));)
        if (k->node == e->node && !k->instant && k->start_ns <= e->start_ns &&
            sm_event_end(k) >= sm_event_end(e) &&
            strncmp(sm_names_text(x->names, k->phase), "Backward(post-forward)", 22) == 0)
            return true;
    return false;
}

/* Whether the waits of a phase lie in backward passes: most of a few of them do. */
static bool are_in_backward(const struct sm_event_store *x, const struct sm_phase *waits)
{
    enum { LOOKED_AT = 9 };
    size_t n = waits->n_events < LOOKED_AT ? waits->n_events : LOOKED_AT, in = 0;
    for (size_t i = 0; i < n; i++)
        in += is_in_backward(x, sm_event_numbered(x, waits->events[i * waits->n_events / n]));
    return 2 * in > n;
}

/* Sums of all steps; *inside: the waits for others that are a part of backward passes. */
static void sum_parts(const struct sm_event_store *x, double *ns, double *inside)
{
    struct sm_loop_classes classes = {.mode = SM_MODE_ANY};
    for (size_t i = 0; i < x->n_operators; i++) {
        const struct sm_operator *o = &x->operators[i];
        const char *phase = sm_names_text(x->names, o->phase);
        enum sm_step_part part = part_of(
            sm_loop_event_of(&classes, x->names,
                             &(struct sm_profile_event){.phase = o->phase, .name = o->name}),
            phase);
        if (part == SM_STEP_PARTS)
            continue;
        ns[part] += (double)o->sum.total_ns;
        if (part == SM_STEP_OTHERS && are_in_backward(x, sm_event_phase(x, phase)))
            *inside += (double)o->sum.total_ns;
    }
    sm_loop_classes_clear(&classes);
}

/* Steps of PyTorch last from the begin of forward to the end of backward, or of the optimizer:
 * waits for data come before them. */
bool sm_step_parts_of(const struct sm_event_store *x, struct sm_step_parts *out)
{
    double steps = 0, known = 0, inside = 0;
    *out = (struct sm_step_parts){0};
    for (size_t i = 0; i < x->n_phases; i++) {
        enum sm_mode mode;
        if (!sm_phase_is_step(sm_names_text(x->names, x->phases[i].name), &mode))
            continue;
        out->steps += x->phases[i].sum.count;
        steps += (double)x->phases[i].sum.total_ns;
    }
    if (!out->steps)
        return false;
    sum_parts(x, out->ns, &inside);
    out->ns[SM_STEP_BACKWARD] -= inside < out->ns[SM_STEP_BACKWARD] ? inside : 0;
    for (int i = 0; i < SM_STEP_REST; i++)
        known += out->ns[i] /= (double)out->steps;
    out->whole_ns = out->ns[SM_STEP_DATA] + steps / (double)out->steps;
    out->whole_ns = out->whole_ns > known ? out->whole_ns : known;
    out->ns[SM_STEP_REST] = out->whole_ns - known;
    return known > 0;
}

static void add_bar(const struct sm_glyphs *glyphs, double share, struct sm_str *out)
{
    enum { CELLS = 10, FULL = 7 };
    char bytes[4];
    size_t n = sm_utf8_encode(glyphs->bar[FULL], bytes);
    sm_str_addc(out, ' ');
    for (int i = 0; i < 1 || i + 0.5 < share * CELLS; i++)
        sm_str_addn(out, bytes, n);
}

void sm_step_parts_text(const struct sm_step_parts *s, const struct sm_glyphs *bars,
                        struct sm_str *out)
{
    static const char *const names[SM_STEP_PARTS] = {
        [SM_STEP_DATA] = "data",         [SM_STEP_FORWARD] = "forward",
        [SM_STEP_BACKWARD] = "backward", [SM_STEP_OPTIMIZER] = "optimizer",
        [SM_STEP_OTHERS] = "waiting",    [SM_STEP_REST] = "other",
    };
    const char *before = " = ";
    char text[16];
    sm_format_nanoseconds(s->whole_ns, text);
    sm_str_printf(out, "step %s", text);
    for (int i = 0; i < SM_STEP_PARTS; i++) {
        if (s->ns[i] < s->whole_ns / 100)
            continue;
        sm_format_nanoseconds(s->ns[i], text);
        sm_str_printf(out, "%s%s %s", before, names[i], text);
        if (bars)
            add_bar(bars, s->ns[i] / s->whole_ns, out);
        before = " + ";
    }
}
