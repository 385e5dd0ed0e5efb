/* Parses JSON requests. */
#include "commands/language/request.h"

#include "reader/base/grow.h"
#include "reader/base/json.h"

#include <string.h>

enum field {
    FIELD_OTHER,
    FIELD_ID,
    FIELD_CMD,
    FIELD_CLI,
    FIELD_MORE,
    FIELD_CANCEL,
    FIELD_NOW,
    FIELD_ARGS
};

struct parse {
    struct sm_request *out;
    struct sm_err *err;
    unsigned depth; /* 1: in the request, 2: in args, 3: in an array in args */
    enum field field;
    const char *key; /* in args; NULL if args is an array */
    bool refused;    /* valid JSON, but not a valid request; see err */
};

static bool refuse_request(struct parse *p, const char *why)
{
    p->refused = true;
    return sm_err_set(p->err, SM_ERR_USAGE, "%s", why);
}

/* The types of values. null is treated as absent. */
enum { TYPE_TEXT = 1, TYPE_NUMBER = 2, TYPE_BOOL = 4, TYPE_NESTED = 8 /* an object or a list */ };

/* Checks that the current field may have a value of this type. */
static bool check_type(struct parse *p, unsigned type)
{
    static const struct {
        unsigned types;
        const char *message;
    } fields[] = {
        [FIELD_OTHER] = {TYPE_TEXT | TYPE_NUMBER | TYPE_BOOL | TYPE_NESTED, NULL},
        [FIELD_ID] = {TYPE_TEXT | TYPE_NUMBER, "\"id\" must be a number or a string."},
        [FIELD_CMD] = {TYPE_TEXT, "\"cmd\" must be a string."},
        [FIELD_CLI] = {TYPE_TEXT, "\"cli\" must be a string."},
        [FIELD_MORE] = {TYPE_TEXT, "\"more\" must be a string."},
        [FIELD_CANCEL] = {TYPE_TEXT | TYPE_NUMBER | TYPE_BOOL, "\"cancel\" must be true or an id."},
        [FIELD_NOW] = {TYPE_BOOL, "\"now\" must be true or false."},
        [FIELD_ARGS] = {TYPE_NESTED, "\"args\" must be an object or a list."},
    };
    if (p->depth == 0 && type != TYPE_NESTED)
        return refuse_request(p, "A request must be a JSON object.");
    return p->depth != 1 || (fields[p->field].types & type) ||
           refuse_request(p, fields[p->field].message);
}

static char *copy_text(struct parse *p, const char *text, size_t n)
{
    return sm_arena_xstrndup(&p->out->arena, text, n);
}

static void add_arg(struct parse *p, enum sm_request_type type, const char *text, size_t n)
{
    struct sm_request *r = p->out;
    SM_GROW(r->args, r->n_args, r->cap_args);
    r->args[r->n_args++] = (struct sm_request_arg){p->key, type, {copy_text(p, text, n), n}};
}

static bool in_args(const struct parse *p)
{
    return p->field == FIELD_ARGS && (p->depth == 2 || p->depth == 3);
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

static bool at_id(const struct parse *p)
{
    return p->depth == 1 && (p->field == FIELD_ID || p->field == FIELD_CANCEL);
}

static bool on_string(void *ctx, const char *text, size_t n)
{
    struct parse *p = ctx;
    struct sm_str id = {0};
    if (!check_type(p, TYPE_TEXT))
        return false;
    if (in_args(p)) {
        add_arg(p, SM_REQUEST_TEXT, text, n);
    } else if (at_id(p)) {
        struct sm_json_writer *w = sm_json_writer_new(&id);
        sm_json_text(w, text, n);
        sm_json_writer_free(w);
        set_id(p, sm_str_text(&id), id.len);
        sm_str_clear(&id);
    } else if (p->depth == 1 &&
               (p->field == FIELD_CMD || p->field == FIELD_CLI || p->field == FIELD_MORE)) {
        const char **to = p->field == FIELD_CMD   ? &p->out->cmd
                          : p->field == FIELD_CLI ? &p->out->cli
                                                  : &p->out->more;
        *to = copy_text(p, text, n);
        if (strlen(*to) != n)
            return refuse_request(p, "The request contains a zero byte.");
    }
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct parse *p = ctx;
    if (!check_type(p, TYPE_NUMBER))
        return false;
    if (in_args(p))
        add_arg(p, SM_REQUEST_NUMBER, digits, n);
    else if (at_id(p))
        set_id(p, digits, n);
    return true;
}

static bool on_boolean(void *ctx, bool v)
{
    struct parse *p = ctx;
    if (!check_type(p, TYPE_BOOL))
        return false;
    if (in_args(p) && v)
        add_arg(p, SM_REQUEST_TRUE, "true", 4);
    else if (p->depth == 1 && p->field == FIELD_CANCEL)
        p->out->cancel = v;
    else if (p->depth == 1 && p->field == FIELD_NOW)
        p->out->now = v;
    return true;
}

static bool on_key(void *ctx, const char *text, size_t n)
{
    static const char *const names[] = {
        [FIELD_ID] = "id",         [FIELD_CMD] = "cmd", [FIELD_CLI] = "cli",  [FIELD_MORE] = "more",
        [FIELD_CANCEL] = "cancel", [FIELD_NOW] = "now", [FIELD_ARGS] = "args"};
    struct parse *p = ctx;
    if (p->depth == 2 && p->field == FIELD_ARGS)
        p->key = copy_text(p, text, n);
    if (p->depth != 1)
        return true;
    p->field = FIELD_OTHER;
    for (enum field f = FIELD_ID; f <= FIELD_ARGS; f++)
        if (strlen(names[f]) == n && memcmp(names[f], text, n) == 0)
            p->field = f;
    p->key = NULL;
    return true;
}

static bool on_start(void *ctx)
{
    struct parse *p = ctx;
    if (!check_type(p, TYPE_NESTED))
        return false;
    p->depth++;
    return true;
}

static bool on_start_array(void *ctx)
{
    struct parse *p = ctx;
    if (p->depth == 0)
        return refuse_request(p, "A request must be a JSON object.");
    return on_start(ctx);
}

static bool on_end(void *ctx)
{
    struct parse *p = ctx;
    p->depth--;
    return true;
}

static bool parse_json(const char *text, size_t n, struct sm_request *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .boolean = on_boolean,
        .number = on_number,
        .string = on_string,
        .key = on_key,
        .start_map = on_start,
        .end_map = on_end,
        .start_array = on_start_array,
        .end_array = on_end,
    };
    struct parse p = {.out = out, .err = err};
    if (!sm_json_parse(text, n, &ops, &p, err)) {
        err->code = SM_ERR_USAGE; /* an error of the other program, not of the trial */
        return !p.refused && sm_err_prefix(err, "The request is not JSON");
    }
    if ((out->cmd != NULL) + (out->cli != NULL) + (out->more != NULL) + out->cancel != 1)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "A request must have exactly one of \"cmd\", \"cli\", \"more\" and \"cancel\".");
    return true;
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
