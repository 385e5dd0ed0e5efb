#include "reader/wandb/wandb_yaml.h"

#include "reader/logs/log_json.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

struct level {
    size_t indent, name_n; /* of its keys; of the path that they have in front */
};
struct yaml {
    void (*each)(void *ctx, struct sm_text name, struct sm_text json);
    void *ctx;
    struct level levels[DEPTH_MAX];
    size_t n_levels;
    struct sm_str path; /* joined by '.', with the part "value" */
    struct sm_str json; /* of the sequence that is open */
    bool listing;
    size_t list_indent, block_indent;
    bool in_block; /* lines that belong to a text: left out */
};

/* ---- values ---- */

static struct sm_text trim(struct sm_text t)
{
    while (t.n && (t.p[0] == ' ' || t.p[0] == '\t'))
        t = (struct sm_text){t.p + 1, t.n - 1};
    while (t.n && strchr(" \t\r", t.p[t.n - 1]))
        t.n--;
    return t;
}

static void add_text(struct sm_str *out, const char *p, size_t n)
{
    struct sm_json_writer *w = sm_json_writer_new(out);
    sm_json_text(w, p, n);
    sm_json_writer_free(w);
}

static bool is_json(struct sm_text t)
{
    static const struct sm_json_ops none = {0};
    struct sm_err err;
    return sm_log_json_parse(t.p, t.n, &none, NULL, &err);
}

/* '' stands for one quote. */
static void add_single_quoted(struct sm_str *out, struct sm_text t)
{
    struct sm_str text = {0};
    for (size_t i = 1; i + 1 < t.n; i++) {
        sm_str_addc(&text, t.p[i]);
        i += t.p[i] == '\'' && i + 2 < t.n && t.p[i + 1] == '\'';
    }
    add_text(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static const char *word_of(struct sm_text t)
{
    static const struct {
        const char *yaml, *json;
    } words[] = {
        {"", "null"},         {"~", "null"},          {"null", "null"},
        {"true", "true"},     {"false", "false"},     {".nan", "NaN"},
        {".inf", "Infinity"}, {"-.inf", "-Infinity"}, {".NaN", "NaN"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_text_is(t, words[i].yaml))
            return words[i].json;
    return NULL;
}

static void add_scalar(struct sm_str *out, struct sm_text t)
{
    double v;
    const char *word = word_of(t);
    if (word)
        sm_str_add(out, word);
    else if (t.p[0] == '\'' && t.n > 1)
        add_single_quoted(out, t);
    else if (sm_log_number(t.p, t.n, &v) && isfinite(v))
        sm_str_addn(out, t.p, t.n);
    else if (strchr("\"[{", t.p[0]) && is_json(t))
        sm_str_addn(out, t.p, t.n);
    else
        add_text(out, t.p, t.n);
}

/* ---- lines ---- */

/* Path "lr.value" is given as "lr", "net.value.depth" as "net.depth"; others are not. */
static void give(struct yaml *y, struct sm_text json)
{
    static const char part[] = ".value";
    const char *path = sm_str_text(&y->path), *dot = memmem(path, y->path.len, part, 6);
    size_t top = y->n_levels > 1 ? y->levels[1].name_n : y->path.len;
    struct sm_str name = {0};
    if (!dot || (size_t)(dot - path) != top || (dot[6] && dot[6] != '.'))
        return;
    sm_str_addn(&name, path, top);
    sm_str_add(&name, dot + 6);
    if (!name.failed)
        y->each(y->ctx, (struct sm_text){name.data, name.len}, json);
    sm_str_clear(&name);
}

static void end_list(struct yaml *y)
{
    if (!y->listing)
        return;
    y->listing = false;
    sm_str_addc(&y->json, ']');
    if (!y->json.failed)
        give(y, (struct sm_text){y->json.data, y->json.len});
}

static void add_element(struct yaml *y, size_t indent, struct sm_text t)
{
    if (!y->listing) {
        sm_str_truncate(&y->json, 0);
        sm_str_addc(&y->json, '[');
        y->list_indent = indent;
        y->listing = true;
    } else if (indent == y->list_indent) {
        sm_str_addc(&y->json, ',');
    }
    if (indent == y->list_indent)
        add_scalar(&y->json, t);
}

/* The end of a key: a colon followed by a blank or the end of the line. */
static size_t find_colon(struct sm_text t)
{
    size_t i = 0;
    if (t.n && (t.p[0] == '"' || t.p[0] == '\''))
        for (i = 1; i < t.n && t.p[i] != t.p[0];)
            i++;
    for (; i < t.n; i++)
        if (t.p[i] == ':' && (i + 1 == t.n || t.p[i + 1] == ' '))
            return i;
    return t.n;
}

static struct sm_text unquote(struct sm_text t)
{
    bool quoted = t.n > 1 && (t.p[0] == '"' || t.p[0] == '\'') && t.p[t.n - 1] == t.p[0];
    return quoted ? (struct sm_text){t.p + 1, t.n - 2} : t;
}

/* Moves to the level of keys with this indent. False: too deep. */
static bool enter_level(struct yaml *y, size_t indent)
{
    while (y->n_levels && y->levels[y->n_levels - 1].indent > indent)
        y->n_levels--;
    if (y->n_levels && y->levels[y->n_levels - 1].indent == indent)
        return true;
    if (y->n_levels == DEPTH_MAX)
        return false;
    y->levels[y->n_levels++] = (struct level){indent, y->path.len};
    return true;
}

static void take_key(struct yaml *y, size_t indent, struct sm_text t, size_t colon)
{
    struct sm_text key = unquote((struct sm_text){t.p, colon});
    struct sm_text value = trim((struct sm_text){t.p + colon + 1, t.n - colon - 1});
    size_t inner = y->path.len;
    if (!enter_level(y, indent))
        return;
    if (y->levels[y->n_levels - 1].name_n != inner)
        sm_str_truncate(&y->path, y->levels[y->n_levels - 1].name_n);
    if (y->path.len + key.n > SM_LOG_NAME_MAX)
        return;
    if (y->path.len)
        sm_str_addc(&y->path, '.');
    for (size_t i = 0; i < key.n; i++)
        sm_str_addc(&y->path, key.p[i] ? key.p[i] : '?');
    y->in_block = value.n && (value.p[0] == '|' || value.p[0] == '>');
    y->block_indent = indent;
    if (!value.n || y->in_block)
        return;
    sm_str_truncate(&y->json, 0);
    add_scalar(&y->json, value);
    if (!y->json.failed)
        give(y, (struct sm_text){y->json.data, y->json.len});
}

static void take_line(struct yaml *y, struct sm_text line)
{
    size_t indent = 0;
    while (indent < line.n && line.p[indent] == ' ')
        indent++;
    struct sm_text t = trim((struct sm_text){line.p + indent, line.n - indent});
    if (t.n == 0 || t.p[0] == '#' || (y->in_block && indent > y->block_indent))
        return;
    y->in_block = false;
    if (t.p[0] == '-' && (t.n == 1 || t.p[1] == ' ')) {
        add_element(y, indent, trim((struct sm_text){t.p + 1, t.n - 1}));
        return;
    }
    size_t colon = find_colon(t);
    if (colon == t.n || (y->listing && indent > y->list_indent))
        return;
    end_list(y);
    take_key(y, indent, t, colon);
}

void sm_wandb_yaml_config(struct sm_text yaml,
                          void (*each)(void *ctx, struct sm_text name, struct sm_text json),
                          void *ctx)
{
    struct yaml y = {.each = each, .ctx = ctx};
    while (yaml.n) {
        const char *lf = memchr(yaml.p, '\n', yaml.n);
        size_t n = lf ? (size_t)(lf - yaml.p) : yaml.n;
        take_line(&y, (struct sm_text){yaml.p, n});
        n += lf != NULL;
        yaml = (struct sm_text){yaml.p + n, yaml.n - n};
    }
    end_list(&y);
    sm_str_clear(&y.path);
    sm_str_clear(&y.json);
}
