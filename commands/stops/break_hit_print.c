#include "commands/stops/break_hit_print.h"
#include "commands/stops/stops.h"

#include "commands/place/printf_format.h"
#include "commands/stops/break_hit_why.h"

#include <string.h>

struct print_context {
    struct sm_session *session;
    struct sm_arena *arena;
    const struct sm_break_hit *hit;
};

static bool eval_value(void *ctx, struct sm_text expr, struct sm_value *out, struct sm_err *err)
{
    const struct print_context *x = ctx;
    struct sm_expr_env env;
    struct sm_expr *e;
    sm_break_hit_env(x->session, x->arena, x->hit, &env);
    return sm_expr_parse(expr.p, expr.n, x->arena, &e, err) && sm_expr_eval(e, &env, out, err);
}

static bool format_print(struct print_context *x, const char *print, struct sm_str *out,
                         struct sm_err *err)
{
    struct sm_session *s = x->session;
    struct sm_printf_format *p =
        sm_printf_format_new(x->arena, sm_text(print), "dprintf LOC,", err);
    struct sm_place at = sm_break_hit_place(s, x->hit);
    if (!p)
        return false;
    sm_session_set_place_variables(s, &at);
    bool ok = sm_printf_format_line(p, eval_value, x, out, err);
    sm_session_sync_variables(s);
    return ok;
}

bool sm_break_hit_print(struct sm_session *s, struct sm_arena *arena,
                        const struct sm_break_hit *hit, struct sm_str *out, struct sm_err *err)
{
    struct print_context x = {s, arena, hit};
    struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
    struct sm_err why = {0};
    if (format_print(&x, b->print, out, &why))
        return true;
    if (why.code == SM_ERR_WAIT)
        return sm_err_set(err, SM_ERR_WAIT, "%s", why.msg);
    b->enabled = why.code == SM_ERR_MISSING;
    sm_str_printf(out, "Dprintf %u%s: %s", b->number, b->enabled ? "" : " is disabled", why.msg);
    return true;
}
