/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the /FMT after a command. */
#include "commands/language/tokens.h"

#include <ctype.h>
#include <string.h>

/* The second letter, in any order: one is a format and one a size, as in "fw", "gx". Returns 0 if
 * they are not. */
static size_t read_size(char second, struct sm_format *out)
{
    static const char sizes[] = "bhwg", formats[] = "fxtduce";
    if (strchr(sizes, second) && strchr(formats, out->letter)) {
        out->size = second;
    } else if (strchr(sizes, out->letter) && strchr(formats, second)) {
        out->size = out->letter;
        out->letter = second;
    }
    return out->size != 0;
}

/* Parses "/20g" or "/.6f": count, precision and letter. Sets *used to its length. */
static bool parse_format(const char *text, size_t n, bool takes_size, struct sm_format *out,
                         size_t *used, struct sm_err *err)
{
    size_t i = 1;
    *out = (struct sm_format){.given = true, .precision = -1};
    for (; i < n && isdigit((unsigned char)text[i]); i++) {
        out->count = out->count * 10 + (text[i] - '0');
        if (out->count > 1000000000)
            return sm_err_set(err, SM_ERR_USAGE, "The count in /FMT is too large.");
    }
    if (i < n && text[i] == '.') {
        out->precision = 0;
        for (i++; i < n && isdigit((unsigned char)text[i]) && out->precision < 100; i++)
            out->precision = out->precision * 10 + (text[i] - '0');
    }
    if (i < n && isalpha((unsigned char)text[i])) {
        if (!strchr("gfextducshbmrw", text[i]))
            return sm_err_set(err, SM_ERR_USAGE, "Undefined output format \"%c\".", text[i]);
        out->letter = text[i++];
    }
    if (i < n && isalpha((unsigned char)text[i]))
        i += read_size(text[i], out);
    if (out->letter == 'w') {
        out->size = 'w';
        out->letter = 0;
    }
    if (i < n && !sm_reader_blank(text[i]))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid character \"%c\" in /FMT.", text[i]);
    if (out->size && !takes_size)
        return sm_err_set(err, SM_ERR_USAGE, "Size letters are meaningless in this command.");
    if (out->precision > 99)
        return sm_err_set(err, SM_ERR_USAGE, "The precision in /FMT is too large.");
    *used = i;
    return true;
}

bool sm_reader_format(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    bool attached = r->at < r->n && r->p[r->at] == '/';
    bool takes_size = strcmp(out->cmd->name, "x") == 0;
    size_t used = 0, at = r->at;
    if (!attached) {
        while (at < r->n && sm_reader_blank(r->p[at]))
            at++;
        /* gdb also accepts "x /4g". A name may start with '/', so the complete word must be a
         * format */
        if (!(out->cmd->flags & SM_CMD_FORMAT) || at + 1 >= r->n || r->p[at] != '/')
            return true;
        if (!parse_format(r->p + at, r->n - at, takes_size, &out->format, &used, NULL)) {
            out->format = (struct sm_format){.precision = -1};
            return true;
        }
        r->at = at + used;
        return true;
    }
    if (!(out->cmd->flags & SM_CMD_FORMAT))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" does not accept /FMT.", out->cmd->name);
    if (!parse_format(r->p + at, r->n - at, takes_size, &out->format, &used, err))
        return false;
    r->at += used;
    return true;
}
