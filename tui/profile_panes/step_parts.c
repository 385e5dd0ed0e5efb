/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/step_parts.h"

#include "plot/table.h"

#include <string.h>

bool sm_phase_is_wait(const char *phase)
{
    return strcmp(phase, "DataLoaderIter") == 0 || strcmp(phase, "DataIterator") == 0;
}

/* SM_STEP_PARTS: none of them. */
static enum sm_step_part part_of(const char *phase)
{
    return sm_phase_is_wait(phase)                             ? SM_STEP_DATA
           : strcmp(phase, "Forward") == 0                     ? SM_STEP_FORWARD
           : strncmp(phase, "Backward(post-forward)", 22) == 0 ? SM_STEP_BACKWARD
           : strcmp(phase, "Optimizer") == 0                   ? SM_STEP_OPTIMIZER
                                                               : SM_STEP_PARTS;
}

/* Steps of PyTorch last from the begin of forward to the end of backward: waits come before them,
 * the optimizer after them. */
bool sm_step_parts_of(const struct sm_event_store *x, struct sm_step_parts *out)
{
    double steps = 0, known = 0;
    *out = (struct sm_step_parts){0};
    for (size_t i = 0; i < x->n_phases; i++) {
        const struct sm_event_sum *sum = &x->phases[i].sum;
        const char *name = sm_names_text(x->names, x->phases[i].name);
        enum sm_step_part part = part_of(name);
        enum sm_mode mode;
        if (sm_phase_is_step(name, &mode)) {
            out->steps += sum->count;
            steps += (double)sum->total_ns;
        } else if (part != SM_STEP_PARTS) {
            out->ns[part] += (double)sum->total_ns;
        }
    }
    if (!out->steps)
        return false;
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
        [SM_STEP_REST] = "other",
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
