/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a trial at the start. */
#include "commands/place/describe.h"
#include "reader/base/clock.h"
#include "tui/frontends/frontend.h"

#include <string.h>

static void add_problems(const struct sm_trial *t, struct sm_str *out)
{
    uint64_t n = sm_trial_problems(t)->total;
    if (n)
        sm_str_printf(out, "%llu problem%s in the files. Type \"info errors\" to see %s.\n",
                      (unsigned long long)n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

static void add_trial(const struct sm_trial *t, struct sm_str *out)
{
    sm_describe_trial(out, t, sm_clock_wall_us());
    sm_str_addc(out, '\n');
    if (!sm_trial_scanned(t)) {
        sm_str_add(out, "The index is still being read.\n");
        return;
    }
    sm_describe_contents(out, t);
    sm_str_addc(out, '\n');
    add_problems(t, out);
}

void sm_greeting(const struct sm_session *s, struct sm_str *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    if (!t) {
        sm_str_add(out, "No trial is open. Type \"open PATH\" to open one, \"help\" for help.\n");
        return;
    }
    add_trial(t, out);
    if (s->n_trials > 1)
        sm_str_printf(out, "%zu trials are open. Type \"trial\" to list them.\n", s->n_trials);
}

/* ---- summary ---- */

static void add_collections(const struct sm_trial *t, struct sm_str *out)
{
    size_t width = 0, n = sm_trial_collection_count(t);
    for (size_t i = 0; i < n; i++) {
        const char *name = sm_trial_collection(t, i)->name;
        size_t w = sm_text_width(name, strlen(name));
        width = w > width ? w : width;
    }
    if (n)
        sm_str_add(out, "\nCollections\n");
    for (size_t i = 0; i < n; i++) {
        const char *name = sm_trial_collection(t, i)->name;
        size_t tensors, w = sm_text_width(name, strlen(name));
        sm_trial_collection_tensors(t, i, &tensors);
        sm_str_add(out, "  ");
        sm_str_add_escaped(out, name, strlen(name));
        sm_str_fill(out, ' ', width > w ? width - w : 0);
        sm_str_printf(out, "  %4zu tensor%s\n", tensors, tensors == 1 ? "" : "s");
    }
}

static void add_workers(const struct sm_trial *t, struct sm_str *out)
{
    size_t n = sm_trial_worker_count(t);
    if (n < 2)
        return;
    sm_str_add(out, "\nWorkers ");
    for (size_t i = 0; i < n; i++) {
        const char *name = sm_trial_worker(t, (uint16_t)i);
        sm_str_add(out, i ? ", " : " ");
        sm_str_add_escaped(out, name, strlen(name));
    }
    sm_str_addc(out, '\n');
}

void sm_summary(struct sm_session *s, struct sm_str *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    if (!t) {
        sm_greeting(s, out);
        return;
    }
    char size[16];
    add_trial(t, out);
    sm_format_bytes(sm_trial_bytes(t), size);
    sm_str_printf(out, "%s of values in %llu index files\n", size,
                  (unsigned long long)sm_trial_index_files(t));
    add_workers(t, out);
    add_collections(t, out);
}
