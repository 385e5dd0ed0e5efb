/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/lineedit.h"
#include "tui/terminal/terminal_settings.h"

#include "commands/place/place.h"
#include "tui/terminal/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

static struct sm_session *session; /* readline's callbacks carry no context */
static bool more_candidates;       /* the last list was cut */

/* ---- completion ---- */

/* readline replaces the text from the start of its word; a candidate replaces from `start`. NULL if
 * the candidate does not match the text in between. */
static char *to_match(const char *line, const char *item, size_t start, size_t word)
{
    struct sm_str text = {0};
    if (start >= word)
        sm_str_addn(&text, line + word, start - word);
    else if (strlen(item) < word - start || strncmp(line + start, item, word - start) != 0)
        return NULL;
    sm_str_add(&text, start >= word ? item : item + (word - start));
    char *copy = strdup(sm_str_text(&text)); /* readline frees it */
    sm_str_clear(&text);
    return copy;
}

static size_t common_length(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    while (i && ((unsigned char)a[i] & 0xc0) == 0x80) /* not within a character */
        i--;
    return i;
}

/* As readline expects them: the common prefix, then all matches. */
static char **to_matches(const char *line, const struct sm_candidates *c, size_t word)
{
    char **matches = calloc(c->n + 2, sizeof *matches);
    size_t n = 0, common = 0;
    for (size_t i = 0; matches && i < c->n; i++) {
        char *text = to_match(line, c->items[i], c->start, word);
        if (!text)
            continue;
        common = n ? common_length(matches[1], text, common) : strlen(text);
        matches[++n] = text;
    }
    if (!n) {
        free(matches);
        return NULL;
    }
    matches[0] = strndup(matches[1], common);
    if (n == 1) {
        free(matches[1]);
        matches[1] = NULL;
    }
    return matches;
}

static char **complete_word(const char *text, int start, int end)
{
    struct sm_candidates c = {0};
    (void)text;
    sm_complete(session, rl_line_buffer, (size_t)end, &c);
    char **matches = to_matches(rl_line_buffer, &c, (size_t)start);
    rl_attempted_completion_over = 1; /* no file names of readline's own */
    rl_completion_append_character = c.finished ? ' ' : '\0';
    rl_sort_completion_matches = 0;
    more_candidates = c.more;
    sm_candidates_clear(&c);
    return matches;
}

static void show_matches(char **matches, int n, int longest)
{
    rl_display_match_list(matches, n, longest);
    if (more_candidates)
        fprintf(rl_outstream, "*** List may be truncated, max-completions reached. ***\n");
    rl_forced_update_display();
}

/* ---- set-up ---- */

/* On a terminal, readline would read its size and set it again, which undoes a change in between.
 * The special characters that it would also read are read again by each prompt. */
static void initialize_without_terminal(void)
{
    FILE *nowhere = fopen("/dev/null", "re");
    rl_instream = nowhere;
    rl_initialize();
    rl_instream = stdin;
    if (nowhere)
        fclose(nowhere);
}

void sm_lineedit_init(struct sm_session *s)
{
    static const char breaks[] = " \t\n"; /* a word of readline contains a word of ours */
    bool again = session != NULL;
    session = s;
    if (again)
        return;
    rl_readline_name = "smdbg";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_attempted_completion_function = complete_word;
    rl_completer_word_break_characters = breaks;
    rl_completer_quote_characters = NULL;
    rl_completion_display_matches_hook = show_matches;
    rl_completion_query_items = 0; /* its question and its pager would wait for a key */
    initialize_without_terminal();
    rl_variable_bind("page-completions", "off");
    sm_history_load(s);
}

/* readline divides by the width of the screen less some columns. */
void sm_lineedit_measure(void)
{
    enum { LEAST = 8 };
    int lines, columns;
    rl_reset_screen_size();
    rl_get_screen_size(&lines, &columns);
    if (columns < LEAST)
        rl_set_screen_size(lines, LEAST);
}

const struct sm_session *sm_lineedit_session(void)
{
    return session;
}

void sm_lineedit_save(struct sm_session *s)
{
    sm_history_save(s, NULL);
}

void sm_lineedit_remember(struct sm_session *s, const char *line)
{
    (void)s;
    sm_history_add(line);
}

void sm_lineedit_abandon(void)
{
    bool in_callback = RL_ISSTATE(RL_STATE_CALLBACK);
    RL_SETSTATE(RL_STATE_CALLBACK); /* without it sigcleanup does nothing */
    rl_callback_sigcleanup();
    if (!in_callback)
        RL_UNSETSTATE(RL_STATE_CALLBACK);
    sm_lineedit_drop_bytes();
    rl_free_line_state();
    rl_replace_line("", 1);
    rl_mark = 0;
}

void sm_lineedit_prompt(const struct sm_session *s, bool partial, size_t bodies, struct sm_str *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    sm_str_truncate(out, 0);
    if (partial) {
        sm_str_fill(out, ' ', bodies ? bodies - 1 : 0);
        sm_str_add(out, "> ");
        return;
    }
    sm_str_add(out, "(smdbg");
    if (t && sm_terminal_settings(s)->prompt_context) {
        const char *alias = s->trials[s->current].alias, *name = alias ? alias : sm_trial_name(t);
        struct sm_step step = sm_session_step(s);
        sm_str_addc(out, ' ');
        sm_str_add_escaped(out, name, strlen(name));
        if (sm_place_tensor(&s->at)) {
            sm_str_addc(out, ':');
            sm_place_add_name(out, &s->at);
        }
        if (step.n >= 0)
            sm_str_printf(out, "@%lld", (long long)step.n);
    }
    sm_str_add(out, ") ");
}
