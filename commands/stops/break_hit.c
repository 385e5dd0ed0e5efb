/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_hit.h"
#include "commands/stops/stops.h"

#include "commands/judge/action_command.h"
#include "commands/run/exec.h"
#include "commands/stops/break_action.h"
#include "commands/stops/break_hit_text.h"
#include "reader/base/clock.h"

#include <string.h>

/* ---- arriving ---- */

static void set_number(struct sm_session *s, const char *name, uint64_t n)
{
    struct sm_value v = {
        .type = SM_NUMBER, .is_int = true, .integer = (int64_t)n, .number = (double)n};
    sm_session_set_variable(s, name, &v);
}

/* Called twice: breakpoints that stop come first; dprintfs, which are not reported, last. */
static void copy_hits(struct sm_call *c, struct sm_break_hit_report *r,
                      const struct sm_break_hit *hits, size_t n, bool prints)
{
    for (size_t i = 0; i < n; i++) {
        const struct sm_breakpoint *b =
            sm_breakpoints_find(&sm_stops(c->session)->breakpoints, hits[i].number);
        if ((b->type == SM_BREAK_PRINT) != prints)
            continue;
        r->hits[r->n] = hits[i];
        if (hits[i].why)
            r->hits[r->n].why = sm_arena_xstrndup(&c->arena, hits[i].why, strlen(hits[i].why));
        r->n++;
        r->stops += !prints;
    }
}

void sm_break_hit_arrive(struct sm_call *c, struct sm_break_hit_report *r,
                         const struct sm_break_hit *hits, size_t n)
{
    struct sm_session *s = c->session;
    r->hits = sm_arena_xalloc(&c->arena, n * sizeof *r->hits);
    copy_hits(c, r, hits, n, false);
    copy_hits(c, r, hits, n, true);
    hits = r->hits;
    const struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hits[0].number);
    if (hits[0].place.tensor != SM_NAME_NONE)
        s->at.tensor = hits[0].place.tensor;
    if (hits[0].place.worker != SM_WORKER_ANY && sm_trial_worker_count(sm_session_trial(s)) > 1)
        s->at.worker = hits[0].place.worker;
    sm_stops(s)->breakpoints.stopped = hits[0].number;
    for (size_t i = 0; i < r->stops; i++)
        sm_breakpoints_note_stop(&sm_stops(s)->breakpoints, hits[i].number, sm_session_trial(s),
                                 hits[i].place.step);
    set_number(s, "_bpnum", hits[0].number);
    set_number(s, "_hits", b->hits);
    sm_arrival_move(c, &r->stop, hits[0].place.step, false);
}

/* ---- the report ---- */

/* Runs the command again from the current step, with the same output options and the remaining
 * time. */
static void continue_walk(struct sm_call *c, bool back)
{
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    struct sm_str line = {0};
    int64_t limit = 0;
    sm_str_printf(&line, "%s%s", back ? "reverse-continue" : "continue",
                  sm_print_option(c->output));
    if (c->fields)
        sm_str_printf(&line, " -field %s", c->fields);
    if (timeout && sm_call_duration(timeout, &limit, NULL)) {
        int64_t left = limit - (sm_clock_mono_us() - c->started_us);
        sm_str_printf(&line, " -timeout %lldus", left > 1 ? (long long)left : 1LL);
    }
    sm_exec_next(c->exec, sm_str_text(&line));
    sm_str_clear(&line);
}

/* Queues an echo of the text; quotes, backslashes and line ends are escaped. */
static void print_next(struct sm_call *c, const char *text)
{
    struct sm_str line = {0};
    sm_str_add(&line, "echo \"");
    for (const char *p = text; *p; p++)
        sm_str_printf(&line, strchr("\"\\", *p) ? "\\%c" : *p == '\n' ? "\\n" : "%c", *p);
    sm_str_add(&line, "\\n\"");
    sm_exec_next(c->exec, sm_str_text(&line));
    sm_str_clear(&line);
}

/* Queues the commands of the breakpoints, the last breakpoint first, so that they run in order.
 * Prints the texts of dprintfs, and continues if no breakpoint stopped. */
static void run_commands(struct sm_call *c, const struct sm_break_hit_report *r)
{
    sm_exec_pop_finished(c->exec);
    if (!r->stops && !r->final)
        continue_walk(c, r->back);
    for (size_t i = r->n; i-- > 0;) {
        const struct sm_breakpoint *b =
            sm_breakpoints_find(&sm_stops(c->session)->breakpoints, r->hits[i].number);
        if (b->print)
            print_next(c, r->prints[i]);
        if (b->commands && b->commands->n)
            sm_exec_body(c->exec, b->commands);
    }
}

static bool is_silent(const struct sm_breakpoint *b)
{
    return b->commands && b->commands->n && strcmp(b->commands->items[0].text, "silent") == 0;
}

/* Formats the texts of dprintfs, before the first breakpoint may be deleted by its stop. */
static bool make_prints(struct sm_call *c, struct sm_break_hit_report *r, struct sm_err *err)
{
    r->prints = r->prints ? r->prints : sm_arena_xalloc(&c->arena, r->n * sizeof *r->prints);
    for (size_t i = r->stops; i < r->n; i++) {
        struct sm_str text = {0};
        bool ok =
            r->prints[i] || sm_break_hit_print(c->session, &c->arena, &r->hits[i], &text, err);
        r->prints[i] = ok && !r->prints[i]
                           ? sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len)
                           : r->prints[i];
        sm_str_clear(&text);
        if (!ok)
            return false;
    }
    return true;
}

static bool report_hits(struct sm_call *c, struct sm_break_hit_report *r, struct sm_err *err)
{
    for (; r->reported < r->stops; r->reported++) {
        const struct sm_break_hit *hit = &r->hits[r->reported];
        const struct sm_breakpoint *b =
            sm_breakpoints_find(&sm_stops(c->session)->breakpoints, hit->number);
        struct sm_str text = {0};
        struct sm_value value = {0};
        sm_str_printf(&text, "%s %u, ", sm_breakpoint_noun(b), b->number);
        sm_break_search_describe(b, hit, &text);
        bool ok = sm_break_hit_why(c->session, &c->arena, hit, &value, &text, err);
        if (ok && !r->reported)
            r->message = sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len);
        if (ok && !is_silent(b))
            r->stop.headline = sm_arena_xprintf(
                &c->arena, "%s\n%s", r->stop.headline ? r->stop.headline : "", sm_str_text(&text));
        sm_str_clear(&text);
        if (!ok)
            return false;
        if (!r->reported)
            r->value = value;
        else
            sm_value_clear(&value);
    }
    if (!make_prints(c, r, err))
        return false;
    if (r->stops && !r->back)
        sm_break_act(c->session, &r->hits[0], &r->value, r->message);
    r->stop.silent = !r->stop.headline && !r->final;
    run_commands(c, r);
    for (size_t i = 0; i < r->n; i++)
        sm_breakpoint_stopped(&sm_stops(c->session)->breakpoints, r->hits[i].number);
    return true;
}

static void add_reason(const struct sm_break_hit_report *r, struct sm_result *out)
{
    sm_node_text(out, out->root, "reason", "breakpoint");
    sm_node_uint(out, out->root, "bkpt", r->hits[0].number);
    const struct sm_exact value = sm_value_exact(&r->value);
    if (r->value.type == SM_NUMBER)
        sm_node_exact(out, out->root, "value", &value, r->value.single);
    else
        sm_node_null(out, out->root, "value");
}

bool sm_break_hit_show(struct sm_call *c, struct sm_break_hit_report *r, struct sm_result *out,
                       struct sm_err *err)
{
    if (!r->finished && !report_hits(c, r, err))
        return false;
    r->finished = true;
    if (c->session->batch && sm_action_commands_open(c->session))
        return sm_err_set(err, SM_ERR_WAIT, "waiting for the stop action");
    if (!sm_arrival_show(c, &r->stop, out, err))
        return false;
    if (r->stops)
        add_reason(r, out);
    else if (!r->final)
        out->passes = true;
    out->stopped = r->stops > 0;
    out->verdict = r->stops && sm_stops_settings(c->session)->batch_exit;
    return true;
}
