/* SPDX-License-Identifier: Apache-2.0 */
/* The input is a command line: parses it, quotes it and reads it back, and completes it without a
 * trial. Runs no command. */
#include "commands/features.h"
#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"
#include "commands/support/complete.h"

#include <stdlib.h>
#include <string.h>

/* The built-in commands; kept until the program ends. */
static struct sm_cmd_set *command_set(void)
{
    static struct sm_cmd_set *set;
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    return set;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A quoted text must read back as one word with the same bytes. */
static void check_quoting(const char *p, size_t n, struct sm_arena *arena)
{
    struct sm_str text = {0};
    struct sm_word w;
    struct sm_err err;
    size_t at = 0;
    if (n && !memchr(p, 0, n)) {
        sm_line_quote(&text, p, n);
        if (!sm_line_word(sm_str_text(&text), text.len, &at, arena, &w, &err) || at != text.len ||
            w.slice.n || w.text.n != n || memcmp(w.text.p, p, n) != 0)
            abort();
    }
    sm_str_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sm_session *session;
    static struct sm_pool *pool;
    struct sm_arena arena = {0};
    struct sm_line line;
    struct sm_err err = {0};
    struct sm_candidates found;
    const char *text = (const char *)data;
    if (!session) {
        pool = sm_pool_new(0, 0, &err);
        session = sm_session_new(pool, sm_command_features, &err);
    }
    bool ok = sm_line_parse(command_set(), text, size, &arena, &line, &err);
    if (!ok && !err.msg[0])
        abort();
    if (ok && line.redirect != SM_REDIRECT_NONE && !line.target)
        abort();
    check_quoting(text, size, &arena);
    /* completion reads directories: skip paths made by the fuzzer */
    if (!memchr(text, '/', size) && !memchr(text, '~', size)) {
        sm_complete(session, text, size, &found);
        if (found.start > size)
            abort();
        sm_candidates_clear(&found);
    }
    sm_arena_clear(&arena);
    return 0;
}
