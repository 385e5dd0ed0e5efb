/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/name_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { MATCH_LIMIT = 100000 };

struct sm_text sm_name_regex_text(struct sm_text text)
{
    bool is_one = text.n > 2 && text.p[0] == '/' && text.p[text.n - 1] == '/';
    return is_one ? (struct sm_text){text.p + 1, text.n - 2} : (struct sm_text){NULL, 0};
}

bool sm_name_regex_init(struct sm_name_regex *x, struct sm_text text, bool fold, struct sm_err *err)
{
    int code;
    PCRE2_SIZE at;
    PCRE2_UCHAR message[120];
    uint32_t options =
        PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | (fold ? PCRE2_CASELESS : 0);
    *x = (struct sm_name_regex){0};
    x->code = pcre2_compile((PCRE2_SPTR)text.p, text.n, options, &code, &at, NULL);
    if (!x->code) {
        pcre2_get_error_message(code, message, sizeof message);
        return sm_err_set(err, SM_ERR_USAGE,
                          "Invalid regular expression \"%.*s\": %s at character %zu.", (int)text.n,
                          text.p, (const char *)message, (size_t)at + 1);
    }
    x->match = pcre2_match_data_create_from_pattern(x->code, NULL);
    x->limits = pcre2_match_context_create(NULL);
    if (!x->match || !x->limits)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory");
    pcre2_set_match_limit(x->limits, MATCH_LIMIT);
    return true;
}

bool sm_name_regex_matches(const struct sm_name_regex *x, struct sm_text name)
{
    return pcre2_match(x->code, (PCRE2_SPTR)name.p, name.n, 0, 0, x->match, x->limits) >= 0;
}

void sm_name_regex_clear(struct sm_name_regex *x)
{
    pcre2_match_context_free(x->limits);
    pcre2_match_data_free(x->match);
    pcre2_code_free(x->code);
    *x = (struct sm_name_regex){0};
}
