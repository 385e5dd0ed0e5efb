/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_pairs.h"
#include "reader/textlog/textlog_number.h"

#include <string.h>

/* State of a walk over a line. */
struct walk {
    const char *p, *end;
    const char *field; /* begin of what may be a name */
    bool strict;
    struct sm_textlog_pair *out;
    size_t n;
};

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_blank(*p))
        p++;
    return p;
}

/* ---- names ---- */

bool sm_textlog_is_metric(struct sm_text name)
{
    static const char *const parts[] = {"loss",  "acc",  "reward", "ppl", "perplexity",
                                        "score", "f1",   "auc",    "mse", "grad_norm",
                                        "iou",   "bleu", NULL};
    char lower[SM_TEXTLOG_NAME_MAX];
    size_t n = name.n < sizeof lower ? name.n : sizeof lower;
    for (size_t i = 0; i < n; i++)
        lower[i] = sm_textlog_lower(name.p[i]);
    for (const char *const *part = parts; *part; part++)
        if (memmem(lower, n, *part, strlen(*part)))
            return true;
    return memmem(name.p, name.n, "mAP", 3) != NULL;
}

/* What brackets without their other half leave of a name: "(loss" is "loss", "2] lr" is " lr". */
static const char *after_open(const char *p, const char *end)
{
    const char *mark = p;
    int depth = 0;
    for (const char *q = end; q > p; q--)
        if (q[-1] == ')' || q[-1] == ']') {
            mark = depth++ ? mark : q;
        } else if ((q[-1] == '(' || q[-1] == '[') && depth-- == 0) {
            return q;
        }
    return depth ? mark : p;
}

static const char *skip_word(const char *p, const char *end, const char *list)
{
    const char *q = p;
    while (q < end && sm_textlog_is_letter(*q))
        q++;
    return q < end && *q == ' ' && sm_textlog_in_words(list, p, (size_t)(q - p)) ? q + 1 : p;
}

static bool is_name(struct sm_text t)
{
    bool letter = false;
    for (size_t i = 0; i < t.n; i++) {
        letter = letter || sm_textlog_is_letter(t.p[i]) || (t.p[i] & 0x80);
        if ((unsigned char)t.p[i] < 0x20 || t.p[i] == 0x7f || t.p[i] == '"' || t.p[i] == '\\')
            return false;
    }
    return letter && t.n <= SM_TEXTLOG_NAME_MAX && !sm_textlog_is_digit(t.p[0]);
}

static bool is_level(struct sm_text t)
{
    return sm_textlog_in_words(
        " info debug warning warn error critical notice trace rank gpu "
        "pid line port eta seed remaining dp pp tp cp v_num max_epochs max_steps ",
        t.p, t.n);
}

/* A dash or bullet of U+2010 to U+2027. */
static bool is_dash(const char *p, const char *end)
{
    return end - p > 2 && p[0] == '\xe2' && p[1] == '\x80' && (p[2] & 0xff) >= 0x90 &&
           (p[2] & 0xff) <= 0xa7;
}

/* The name in [p, end) without what surrounds it; n is 0 if it is none. */
static struct sm_text clean_name(const char *p, const char *end)
{
    static const char around[] = " \t\"'`*>#";
    while (p < end && strchr(" \t\"'`*>#-.,;|}{)]/~", *p))
        p++;
    while (end > p && strchr(around, end[-1]))
        end--;
    p = after_open(p, end);
    while (p < end && (strchr(around, *p) || is_dash(p, end)))
        p += is_dash(p, end) ? 3 : 1;
    p = skip_word(p, end, " and with ");
    struct sm_text t = {p, (size_t)(end - p)};
    return t.n && is_name(t) && !is_level(t) ? t : (struct sm_text){p, 0};
}

/* Whether more of the value could follow: neither a blank nor '|' stands behind it. */
static bool is_torn(const char *p, const char *end)
{
    while (p < end && !sm_textlog_is_blank(*p) && *p != '|')
        p++;
    return p == end;
}

static void add_pair(struct walk *w, struct sm_text name, const struct sm_textlog_number *v)
{
    if (name.n && w->n < SM_TEXTLOG_PAIRS)
        w->out[w->n++] = (struct sm_textlog_pair){
            .name = name, .value = v->value, .torn = is_torn(v->next, w->end)};
}

/* ---- values ---- */

/* A value with what may stand before it: quotes, "[(0.9", "tensor(". */
static bool read_value(const char *p, const char *end, struct sm_textlog_number *v)
{
    static const char *const calls[] = {"tensor(", "np.float64(", "np.float32(", "Array("};
    const char *q = skip_blanks(p, end);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((size_t)(end - q) > strlen(calls[i]) && memcmp(q, calls[i], strlen(calls[i])) == 0)
            q += strlen(calls[i]);
    bool listed = false;
    for (int i = 0; i < 2 && q < end && strchr("[('\"", *q); i++) {
        listed = listed || *q == '[';
        q = skip_blanks(q + 1, end);
    }
    q += q < end && *q == '$';
    bool ok = sm_textlog_number(q, end, !listed, v) && sm_textlog_number_ends(v->next, end);
    return ok && !(listed && v->next < end && *v->next == '/'); /* "[0/196]" is a position */
}

/* Behind the unit glued to a value, and what follows it in brackets: "GiB(1.24%)", "ms",
 * " (0.10)". */
static const char *skip_unit(const char *p, const char *end)
{
    while (p < end && !sm_textlog_is_blank(*p) && !strchr(",;|([{", *p))
        p++;
    const char *q = skip_blanks(p, end);
    if (q < end && *q == '(' && q - p < 2) {
        size_t most = end - q < 48 ? (size_t)(end - q) : 48;
        const char *close = memchr(q, ')', most);
        const char *letters = q;
        while (close && letters < close && !strchr(":=", *letters))
            letters++;
        if (close && letters == close)
            return close + 1;
    }
    return p;
}

/* ---- names without a sign: "train_loss 2.62 | lr 3.4e-01" ---- */

static const char *token_end(const char *p, const char *end)
{
    while (p < end && !sm_textlog_is_blank(*p))
        p++;
    return p;
}

static bool is_unit(const char *p, size_t n)
{
    return sm_textlog_in_words(
        " s sec secs second seconds ms us min mins minute minutes h hr hrs hour hours d gb mb kb "
        "gib mib kib % it/s tok/s tokens/s tokens/sec steps/s samples/s samples/sec k m b x db "
        "tflops ",
        p, n);
}

/* The name in words [p, end): at most four, none of a sentence. */
static struct sm_text words_name(const char *p, const char *end)
{
    int words = 0;
    const char *last = p, *stop = p, *q = p;
    while ((q = skip_blanks(q, end)) < end) {
        last = q;
        q = token_end(q, end);
        if (!sm_textlog_in_words(" is was reached of ", last, (size_t)(q - last)) || words == 0)
            stop = q;
        words++;
        if (sm_textlog_in_words(" with ", last, (size_t)(q - last)) && q < end) {
            p = stop = q; /* "finished with reward" */
            words = 0;
        }
        if (strchr("\"<>{}", *last) || sm_textlog_is_digit(*last))
            return (struct sm_text){p, 0};
    }
    bool open = sm_textlog_in_words(" in at to for from by than over after with and or on about "
                                    "took since within until x top ",
                                    last, (size_t)(end - last));
    return words <= 4 && !open ? clean_name(p, stop) : (struct sm_text){p, 0};
}

/* Of the pairs that a sentence began with, those of the first names that are metrics. */
static void keep_metrics(struct walk *w, size_t n)
{
    while (n < w->n && sm_textlog_is_metric(w->out[n].name))
        n++;
    w->n = n;
}

/* Pairs in a field that has no sign; the whole field must be such pairs, or begin with metrics. */
static void read_field(struct walk *w, const char *p, const char *end)
{
    size_t before = w->n;
    struct sm_textlog_number v;
    while ((p = skip_blanks(p, end)) < end) {
        const char *name = p, *q = p, *stop = p;
        bool found = false;
        for (; !found && q < end; q = skip_blanks(q, end)) {
            found = q > name && sm_textlog_number(q, end, true, &v) &&
                    sm_textlog_number_ends(v.next, end);
            stop = found ? q : stop;
            q = found ? skip_unit(v.next, end) : token_end(q, end);
        }
        while (stop > name && sm_textlog_is_blank(stop[-1]))
            stop--;
        struct sm_text text = found ? words_name(name, stop) : (struct sm_text){name, 0};
        if (text.n == 0) {
            keep_metrics(w, before);
            return;
        }
        add_pair(w, text, &v);
        const char *unit = skip_blanks(q, end), *unit_end = token_end(unit, end);
        p = is_unit(unit, (size_t)(unit_end - unit)) ? unit_end : q;
    }
}

/* ---- the walk ---- */

static void end_field(struct walk *w, const char *end, const char *next)
{
    if (!w->strict && end - w->field > 2)
        read_field(w, w->field, end);
    w->p = w->field = next;
}

/* A word that stands for a value, or a time: it is no part of the next name. */
static const char *skip_no_value(const char *p, const char *end)
{
    const char *q = skip_blanks(p, end), *stop = q;
    if (q == p && end - q > 2 && (*q == '"' || *q == '\'')) { /* a text */
        size_t most = end - q - 1 < 80 ? (size_t)(end - q - 1) : 80;
        const char *close = memchr(q + 1, *q, most);
        return close ? close + 1 : p;
    }
    while (stop < end && !sm_textlog_is_blank(*stop) && !strchr(",;|]})", *stop))
        stop++;
    bool number = q < end && (sm_textlog_is_digit(*q) || *q == '-' || *q == '?');
    return number || sm_textlog_in_words(" n/a na none null true false - ", q, (size_t)(stop - q))
               ? stop
               : p;
}

static void read_signed(struct walk *w)
{
    struct sm_textlog_number v;
    const char *sign = w->p, *next = sign + 1;
    bool glued = next < w->end && *sign == ':' && !sm_textlog_is_blank(*next);
    if (glued && (w->strict || *next == ':' || *next == '/')) {
        w->p = next;
        bool word = sm_textlog_is_letter(*next); /* "INFO:trainer:loss = 2" */
        while (!word && w->p < w->end && !sm_textlog_is_blank(*w->p) && !strchr(",;|", *w->p))
            w->p++;
        w->field = w->p;
        return;
    }
    if (next < w->end && *sign == '=' && *next == '=') {
        w->p = w->field = next + 1;
        return;
    }
    if (!read_value(next, w->end, &v)) {
        if (!w->strict && sign - w->field > 2) /* "loss 0.5 mem 3/80GB eta 1:02:03" */
            read_field(w, w->field, sign);
        w->p = w->field = skip_no_value(next, w->end);
        return;
    }
    add_pair(w, clean_name(w->field, sign), &v);
    w->p = w->field = skip_unit(v.next, w->end);
}

/* Blanks end a name if there are two of them, or a sign between them. */
static void read_blanks(struct walk *w)
{
    const char *p = w->p, *q = skip_blanks(p, w->end);
    bool tab = memchr(p, '\t', (size_t)(q - p)) != NULL;
    if (q - p == 1 && !tab) {
        bool dash = w->end - q > 1 && q[0] == '-' && sm_textlog_is_blank(q[1]);
        if (dash)
            end_field(w, p, q + 1);
        else
            w->p = q;
        return;
    }
    bool goes_on = q < w->end && (sm_textlog_is_digit(*q) || strchr("-+.(:=", *q));
    bool value = goes_on || (w->end - q > 2 && sm_textlog_in_words(" nan inf ", q, 3));
    if (value && !(*q == '-' && q + 1 < w->end && sm_textlog_is_blank(q[1])))
        w->p = q;
    else
        end_field(w, p, q);
}

static void walk_on(struct walk *w)
{
    char c = *w->p;
    if (c == ',' && w->p > w->field && sm_textlog_is_digit(w->p[-1]) &&
        sm_textlog_is_thousands(w->p, w->end))
        w->p++;
    else if (c == ':' || c == '=')
        read_signed(w);
    else if (c == ' ' || c == '\t')
        read_blanks(w);
    else if (c == ',' || c == ';' || c == '|' || c == '{' || c == '}')
        end_field(w, w->p, w->p + 1);
    else
        w->p++;
}

static void walk_to(struct walk *w, const char *until)
{
    while (w->p < until)
        walk_on(w);
}

/* "Average loss at step 100: 2.345": the name stands before the head h. */
static void read_named_head(struct walk *w, const struct sm_textlog_head *h)
{
    struct sm_textlog_number v;
    const char *sign = skip_blanks(h->end, w->end), *stop = h->begin;
    if (sign == w->end || (*sign != ':' && *sign != '=') || !read_value(sign + 1, w->end, &v))
        return;
    while (stop > w->field && !sm_textlog_is_letter(stop[-1]))
        stop--;
    const char *word = stop;
    while (word > w->field && sm_textlog_is_letter(word[-1]))
        word--;
    if (!sm_textlog_in_words(" at for after in on ", word, (size_t)(stop - word)))
        return;
    struct sm_text name = words_name(w->field, word);
    add_pair(w, name, &v);
}

size_t sm_textlog_find_pairs(struct sm_text line, const struct sm_textlog_head *heads,
                             size_t n_heads, bool strict,
                             struct sm_textlog_pair out[SM_TEXTLOG_PAIRS])
{
    struct walk w = {.p = line.p,
                     .end = line.p + line.n,
                     .field = line.p,
                     .strict = strict || n_heads > 0,
                     .out = out};
    const char *end = w.end;
    for (size_t i = 0; i < n_heads; i++) {
        if (heads[i].begin > w.p) {
            w.end = heads[i].begin;
            walk_to(&w, w.end);
            w.end = end;
            read_named_head(&w, &heads[i]);
        }
        w.p = w.field = heads[i].end > w.p ? heads[i].end : w.p;
        w.strict = strict;
    }
    walk_to(&w, end);
    end_field(&w, end, end);
    return w.n;
}
