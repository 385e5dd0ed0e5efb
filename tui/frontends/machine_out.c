/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/frontends/machine_out.h"

#include "reader/base/json.h"

#include <stdlib.h>
#include <string.h>

void sm_machine_text(struct sm_str *out, const char *text, size_t n)
{
    struct sm_json_writer *w = sm_json_writer_new(out);
    sm_json_text(w, text, n);
    sm_json_writer_free(w);
}

/* ---- codes ---- */

/* "no-such-tensor", "usage", ...: a word for an error. */
static const char *code_of(const struct sm_err *err)
{
    static const char *const words[] = {
        [SM_OK] = "none",
        [SM_ERR_WAIT] = "wait",
        [SM_ERR_END] = "end",
        [SM_ERR_USAGE] = "usage",
        [SM_ERR_MISSING] = "missing",
        [SM_ERR_DATA] = "data",
        [SM_ERR_IO] = "io",
        [SM_ERR_MEMORY] = "memory",
        [SM_ERR_LIMIT] = "limit",
        [SM_ERR_REFUSED] = "refused",
        [SM_ERR_CANCELLED] = "cancelled",
        [SM_ERR_TIMEOUT] = "timeout",
        [SM_ERR_VERDICT] = "verdict",
    };
    static const char *const finer[] = {
        [SM_ERR_IS_PLAIN] = NULL,
        [SM_ERR_IS_NO_TENSOR] = "no-such-tensor",
        [SM_ERR_IS_NO_COMMAND] = "no-such-command",
        [SM_ERR_IS_AMBIGUOUS] = "ambiguous",
        [SM_ERR_IS_NO_TRIAL] = "no-trial",
        [SM_ERR_IS_BAD_REQUEST] = "bad-request",
        [SM_ERR_IS_NO_ARGUMENT] = "no-such-argument",
    };
    return finer[err->kind] ? finer[err->kind] : words[err->code];
}

/* ---- answers ---- */

static void begin_answer(struct sm_reply *r, const char *key)
{
    sm_str_printf(&r->answers, "%s{\"%s\":", r->n_answers++ ? "," : "", key);
}

/* ,"cmd":"tensors","fields":"name,steps" */
static void end_answer(struct sm_reply *r, const struct sm_exec *x)
{
    struct sm_str name = {0};
    const char *fields = x ? sm_exec_answering(x, &name) : NULL;
    if (name.len) {
        sm_str_add(&r->answers, ",\"cmd\":");
        sm_machine_text(&r->answers, name.data, name.len);
    }
    if (fields) {
        sm_str_add(&r->answers, ",\"fields\":");
        sm_machine_text(&r->answers, fields, strlen(fields));
    }
    sm_str_addc(&r->answers, '}');
    sm_str_clear(&name);
}

void sm_reply_data(struct sm_reply *r, const struct sm_exec *x, const char *json, size_t n)
{
    while (n && json[n - 1] == '\n')
        n--;
    begin_answer(r, "data");
    sm_str_addn(&r->answers, json, n);
    end_answer(r, x);
}

void sm_reply_text(struct sm_reply *r, const struct sm_exec *x, const char *text, size_t n)
{
    begin_answer(r, "text");
    sm_machine_text(&r->answers, text, n);
    end_answer(r, x);
}

void sm_reply_fail(struct sm_reply *r, const struct sm_err *err, const char *message,
                   bool as_warning)
{
    if (as_warning || r->failed) {
        sm_str_add(&r->warnings, r->warnings.len ? "," : "");
        sm_machine_text(&r->warnings, message, strlen(message));
        return;
    }
    r->failed = true;
    r->err = *err;
    sm_str_add(&r->message, message);
}

void sm_reply_clear(struct sm_reply *r)
{
    sm_str_clear(&r->answers);
    sm_str_clear(&r->warnings);
    sm_str_clear(&r->message);
    *r = (struct sm_reply){0};
}

/* ---- lines ---- */

static void begin_line(const char *id, const char *status, struct sm_str *out)
{
    sm_str_printf(out, "{\"id\":%s,\"type\":\"result\",\"status\":\"%s\"", id, status);
}

/* The end of a piece that starts at `at`: not within a character. */
static size_t piece_end(const struct sm_str *text, size_t at)
{
    size_t end = at + SM_MACHINE_PART;
    if (end >= text->len)
        return text->len;
    while (((unsigned char)text->data[end] & 0xc0) == 0x80)
        end--;
    return end;
}

static void write_piece(const struct sm_str *text, unsigned number, size_t at, const char *id,
                        struct sm_str *out)
{
    size_t end = piece_end(text, at);
    begin_line(id, "done", out);
    sm_str_add(out, ",\"part\":");
    sm_machine_text(out, text->data + at, end - at);
    if (end < text->len)
        sm_str_printf(out, ",\"more\":true,\"cursor\":\"%u:%zu\"", number, end);
    sm_str_add(out, "}\n");
}

/* Writes one answer directly; several answers, of a script or a user-defined command, as a list. */
static void add_payload(const struct sm_reply *r, struct sm_str *out)
{
    if (r->n_answers == 1)
        sm_str_addn(out, r->answers.data + 1, r->answers.len - 2);
    else if (r->n_answers)
        sm_str_printf(out, "\"answers\":[%s]", sm_str_text(&r->answers));
    if (r->warnings.len)
        sm_str_printf(out, "%s\"warnings\":[%s]", out->len ? "," : "", sm_str_text(&r->warnings));
}

static void keep_answer(struct sm_kept *k, const struct sm_str *text)
{
    struct sm_str *slot = &k->text[k->count++ % SM_MACHINE_KEPT];
    sm_str_truncate(slot, 0);
    sm_str_printf(slot, "{%s}", sm_str_text(text));
}

void sm_reply_write(struct sm_reply *r, const char *id, struct sm_kept *kept, struct sm_str *out)
{
    struct sm_str text = {0};
    if (r->failed) {
        begin_line(id, "error", out);
        sm_str_printf(out, ",\"code\":\"%s\",\"msg\":", code_of(&r->err));
        sm_machine_text(out, sm_str_text(&r->message), r->message.len);
        sm_str_printf(out, ",\"exit\":%d", sm_exec_status_of(&r->err));
    }
    add_payload(r, &text);
    if (text.len > SM_MACHINE_PART && !r->failed) {
        keep_answer(kept, &text);
        write_piece(&kept->text[(kept->count - 1) % SM_MACHINE_KEPT], kept->count, 0, id, out);
    } else {
        /* a failure is more important than answers that do not fit */
        bool fits = text.len <= SM_MACHINE_PART;
        if (!r->failed)
            begin_line(id, "done", out);
        sm_str_printf(out, "%s%s}\n", text.len && fits ? "," : "", fits ? sm_str_text(&text) : "");
    }
    sm_str_clear(&text);
}

bool sm_kept_write(const struct sm_kept *k, const char *id, const char *cursor, struct sm_str *out)
{
    char *end;
    unsigned long number = strtoul(cursor, &end, 10);
    const struct sm_str *text = &k->text[(number - 1) % SM_MACHINE_KEPT];
    if (*end != ':' || !number || number > k->count || number + SM_MACHINE_KEPT <= k->count)
        return false;
    unsigned long at = strtoul(end + 1, &end, 10);
    if (*end || at >= text->len || ((unsigned char)text->data[at] & 0xc0) == 0x80)
        return false;
    write_piece(text, (unsigned)number, at, id, out);
    return true;
}

void sm_kept_clear(struct sm_kept *k)
{
    for (size_t i = 0; i < SM_MACHINE_KEPT; i++)
        sm_str_clear(&k->text[i]);
}
