/* SPDX-License-Identifier: Apache-2.0 */
/* Parses JSON requests. */
#include "commands/language/request.h"

#include "reader/base/grow.h"
#include "reader/base/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum field {
    FIELD_OTHER,
    FIELD_ID,
    FIELD_CMD,
    FIELD_CLI,
    FIELD_MORE,
    FIELD_CANCEL,
    FIELD_NOW,
    FIELD_ARGS,
    FIELD_TRIAL,
    FIELD_STEP,
    FIELD_MODE,
    FIELD_WORKER,
    FIELD_COUNT
};
/* The types of values. null is treated as absent. */
enum { TYPE_TEXT = 1, TYPE_NUMBER = 2, TYPE_BOOL = 4, TYPE_MAP = 8, TYPE_LIST = 16, TYPE_ANY = 31 };

static const struct {
    const char *name;
    unsigned types;
    const char *expected;
} fields[FIELD_COUNT] = {
    [FIELD_OTHER] = {NULL, TYPE_ANY, NULL},
    [FIELD_ID] = {"id", TYPE_TEXT | TYPE_NUMBER, "a number or a string"},
    [FIELD_CMD] = {"cmd", TYPE_TEXT, "a string"},
    [FIELD_CLI] = {"cli", TYPE_TEXT, "a string"},
    [FIELD_MORE] = {"more", TYPE_TEXT, "a string"},
    [FIELD_CANCEL] = {"cancel", TYPE_TEXT | TYPE_NUMBER | TYPE_BOOL, "true or an id"},
    [FIELD_NOW] = {"now", TYPE_BOOL, "true or false"},
    [FIELD_ARGS] = {"args", TYPE_MAP | TYPE_LIST, "an object or a list"},
    [FIELD_TRIAL] = {"trial", TYPE_TEXT | TYPE_NUMBER, "a number or a name"},
    [FIELD_STEP] = {"step", TYPE_TEXT | TYPE_NUMBER, "a number or a string"},
    [FIELD_MODE] = {"mode", TYPE_TEXT, "a string"},
    [FIELD_WORKER] = {"worker", TYPE_TEXT, "a string"},
};

struct parse {
    struct sm_request *out;
    struct sm_err *err;
    unsigned depth; /* 1: in the request, 2: in args, 3: in a list in args */
    enum field field;
    unsigned seen;   /* bits of the fields */
    bool listed;     /* args is a list */
    const char *key; /* in args; NULL if args is a list */
    const char *keys[SM_REQUEST_KEYS_MAX];
    size_t n_keys;
    bool refused; /* valid JSON, but not a valid request; see err */
};

/* Records the first error. The parse goes on, as the id may follow. */
static void refuse(struct parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void refuse(struct parse *p, const char *fmt, ...)
{
    char text[200];
    va_list args;
    if (p->refused)
        return;
    p->refused = true;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sm_err_set(p->err, SM_ERR_USAGE, "%s", text);
}

static bool in_args(const struct parse *p)
{
    return p->field == FIELD_ARGS && p->depth >= 2;
}

/* Checks that a value of this type may stand here. */
static bool check_type(struct parse *p, unsigned type)
{
    bool nested = type == TYPE_MAP || type == TYPE_LIST;
    if (p->depth == 0 && type != TYPE_MAP) {
        refuse(p, "A request must be a JSON object.");
        return false;
    }
    if (p->depth == 1 && !(fields[p->field].types & type)) {
        refuse(p, "\"%s\" must be %s.", fields[p->field].name, fields[p->field].expected);
        return false;
    }
    if (in_args(p) && nested && (p->listed || p->depth > 2 || type == TYPE_MAP)) {
        refuse(p, "An argument must be text, a number, true, false or a list of these.");
        return false;
    }
    return true;
}

static char *copy_text(struct parse *p, const char *text, size_t n)
{
    return sm_arena_xstrndup(&p->out->arena, text, n);
}

static void add_arg(struct parse *p, enum sm_request_type type, const char *text, size_t n)
{
    struct sm_request *r = p->out;
    if (p->depth > 3)
        return;
    SM_GROW(r->args, r->n_args, r->cap_args);
    r->args[r->n_args++] = (struct sm_request_arg){p->key, type, {copy_text(p, text, n), n}};
}

/* Stores the id of the request, or the id to cancel, as JSON text. */
static void set_id(struct parse *p, const char *json, size_t n)
{
    if (p->field == FIELD_ID)
        p->out->id = copy_text(p, json, n);
    else
        p->out->target = copy_text(p, json, n);
    p->out->cancel = p->out->cancel || p->field == FIELD_CANCEL;
}

/* Where the text of the current field is stored, or NULL. */
static const char **field_text(struct parse *p)
{
    struct sm_request *r = p->out;
    const char **texts[FIELD_COUNT] = {
        [FIELD_CMD] = &r->cmd,       [FIELD_CLI] = &r->cli,   [FIELD_MORE] = &r->more,
        [FIELD_TRIAL] = &r->trial,   [FIELD_STEP] = &r->step, [FIELD_MODE] = &r->mode,
        [FIELD_WORKER] = &r->worker,
    };
    return p->depth == 1 ? texts[p->field] : NULL;
}

static bool is_id(const struct parse *p)
{
    return p->depth == 1 && (p->field == FIELD_ID || p->field == FIELD_CANCEL);
}

static bool on_string(void *ctx, const char *text, size_t n)
{
    struct parse *p = ctx;
    const char **to = field_text(p);
    struct sm_str id = {0};
    if (!check_type(p, TYPE_TEXT))
        return true;
    if (in_args(p)) {
        add_arg(p, SM_REQUEST_TEXT, text, n);
    } else if (is_id(p)) {
        struct sm_json_writer *w = sm_json_writer_new(&id);
        sm_json_text(w, text, n);
        sm_json_writer_free(w);
        set_id(p, sm_str_text(&id), id.len);
        sm_str_clear(&id);
    } else if (to) {
        *to = copy_text(p, text, n);
        if (strlen(*to) != n)
            refuse(p, "The request contains a zero byte.");
    }
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct parse *p = ctx;
    const char **to = field_text(p);
    if (!check_type(p, TYPE_NUMBER))
        return true;
    if (in_args(p))
        add_arg(p, SM_REQUEST_NUMBER, digits, n);
    else if (is_id(p))
        set_id(p, digits, n);
    else if (to)
        *to = copy_text(p, digits, n);
    return true;
}

static bool on_boolean(void *ctx, bool v)
{
    struct parse *p = ctx;
    if (!check_type(p, TYPE_BOOL))
        return true;
    if (in_args(p))
        add_arg(p, v ? SM_REQUEST_TRUE : SM_REQUEST_FALSE, v ? "true" : "false", v ? 4 : 5);
    else if (p->depth == 1 && p->field == FIELD_CANCEL)
        p->out->cancel = v;
    else if (p->depth == 1 && p->field == FIELD_NOW)
        p->out->now = v;
    return true;
}

/* The name of an argument. */
static void take_key(struct parse *p, const char *text, size_t n)
{
    if (p->refused)
        return;
    p->key = copy_text(p, text, n);
    if (strlen(p->key) != n)
        refuse(p, "The name of an argument contains a zero byte.");
    for (size_t i = 0; i < p->n_keys; i++)
        if (strcmp(p->keys[i], p->key) == 0)
            refuse(p, "The argument \"%.80s\" is given twice.", p->key);
    if (p->n_keys == SM_REQUEST_KEYS_MAX)
        refuse(p, "The request has more than %d arguments.", SM_REQUEST_KEYS_MAX);
    else
        p->keys[p->n_keys++] = p->key;
}

static void take_field(struct parse *p, const char *text, size_t n)
{
    p->field = FIELD_OTHER;
    for (enum field f = FIELD_ID; f < FIELD_COUNT; f++)
        if (strlen(fields[f].name) == n && memcmp(fields[f].name, text, n) == 0)
            p->field = f;
    p->key = NULL;
    if (p->field != FIELD_OTHER && (p->seen & 1U << p->field))
        refuse(p, "\"%s\" is given twice.", fields[p->field].name);
    p->seen |= 1U << p->field;
}

static bool on_key(void *ctx, const char *text, size_t n)
{
    struct parse *p = ctx;
    if (p->depth == 1)
        take_field(p, text, n);
    else if (p->depth == 2 && p->field == FIELD_ARGS)
        take_key(p, text, n);
    return true;
}

static bool on_start_map(void *ctx)
{
    struct parse *p = ctx;
    check_type(p, TYPE_MAP);
    p->depth++;
    return true;
}

static bool on_start_array(void *ctx)
{
    struct parse *p = ctx;
    check_type(p, TYPE_LIST);
    p->listed = p->listed || (p->depth == 1 && p->field == FIELD_ARGS);
    p->depth++;
    return true;
}

static bool on_end(void *ctx)
{
    struct parse *p = ctx;
    p->depth--;
    return true;
}

static bool check_whole(const struct sm_request *r, struct sm_err *err)
{
    if ((r->cmd != NULL) + (r->cli != NULL) + (r->more != NULL) + r->cancel != 1)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "A request must have exactly one of \"cmd\", \"cli\", \"more\" and \"cancel\".");
    if (r->n_args && !r->cmd)
        return sm_err_set(err, SM_ERR_USAGE, "Only a request with \"cmd\" has \"args\".");
    if (sm_request_has_place(r) && !r->cmd && !r->cli)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Only a request with \"cmd\" or \"cli\" has a place (\"trial\", "
                          "\"step\", \"mode\", \"worker\").");
    return true;
}

static bool parse_json(const char *text, size_t n, struct sm_request *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .boolean = on_boolean,
        .number = on_number,
        .string = on_string,
        .key = on_key,
        .start_map = on_start_map,
        .end_map = on_end,
        .start_array = on_start_array,
        .end_array = on_end,
    };
    struct sm_err wrong, first;
    struct parse p = {.out = out, .err = &first};
    bool ok = sm_json_parse(text, n, &ops, &p, &wrong);
    if (ok && !p.refused)
        return check_whole(out, err);
    *err = ok ? first : wrong;
    err->code = SM_ERR_USAGE; /* an error of the other program, not of the trial */
    return ok ? false : sm_err_prefix(err, "The request is not JSON");
}

bool sm_request_has_place(const struct sm_request *r)
{
    return r->trial || r->step || r->mode || r->worker;
}

bool sm_request_parse(const char *text, size_t n, struct sm_request *out, struct sm_err *err)
{
    *out = (struct sm_request){.id = "null"};
    if (n > SM_REQUEST_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "The request is longer than %d bytes.",
                          SM_REQUEST_MAX);
    return parse_json(text, n, out, err) || sm_err_kind(err, SM_ERR_IS_BAD_REQUEST);
}

void sm_request_clear(struct sm_request *r)
{
    sm_free(r->args);
    sm_arena_clear(&r->arena);
    *r = (struct sm_request){0};
}
