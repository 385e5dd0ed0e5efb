/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt inside curses: readline edits, the dashboard draws (pattern:
 * ulfalizer/readline-and-ncurses). */
#include "tui/terminal/lineedit.h"
#include "tui/terminal/screen.h"

#include <stdio.h>
#include <string.h>

#include <readline/readline.h>

/* Settings of readline that the prompt replaces while it is open. */
struct readline_settings {
    rl_voidfunc_t *redisplay, *deprep;
    rl_vintfunc_t *prep;
    rl_compdisp_func_t *show;
    FILE *out;
};

static struct {
    void (*line)(void *ctx, const char *line);
    void *ctx;
    const struct sm_session *session;
    bool partial; /* the line continues earlier lines */
    size_t bodies;
    bool open;
    struct readline_settings before;
    struct sm_str prompt, text; /* as shown */
    struct sm_arena arena;      /* the candidates' */
    const char **candidates;
    size_t n_candidates;
} p;

static void draw_nothing(void)
{
}

static void leave_terminal_alone(int meta)
{
    (void)meta;
}

static void keep_candidates(char **matches, int n, int longest)
{
    (void)longest;
    sm_arena_reset(&p.arena);
    p.n_candidates = n > 0 ? (size_t)n : 0;
    p.candidates = sm_arena_xalloc(&p.arena, (p.n_candidates + 1) * sizeof *p.candidates);
    for (size_t i = 0; i < p.n_candidates; i++)
        p.candidates[i] = sm_arena_xstrndup(&p.arena, matches[i + 1], strlen(matches[i + 1]));
}

static void finish_line(char *line)
{
    if (p.line)
        p.line(p.ctx, line);
    rl_free(line);
}

static void swap_readline_settings(struct readline_settings *m)
{
    struct readline_settings now = {rl_redisplay_function, rl_deprep_term_function,
                                    rl_prep_term_function, rl_completion_display_matches_hook,
                                    rl_outstream};
    rl_redisplay_function = m->redisplay;
    rl_deprep_term_function = m->deprep;
    rl_prep_term_function = m->prep;
    rl_completion_display_matches_hook = m->show;
    rl_outstream = m->out;
    *m = now;
}

void sm_prompt_open(void (*line)(void *ctx, const char *line), void *ctx)
{
    p.line = line;
    p.ctx = ctx;
    p.session = sm_lineedit_session();
    if (p.open)
        return;
    FILE *nowhere = fopen("/dev/null", "we"); /* for the bell and other output of readline */
    p.before = (struct readline_settings){draw_nothing, draw_nothing, leave_terminal_alone,
                                          keep_candidates, nowhere};
    swap_readline_settings(&p.before);
    sm_lineedit_take_bytes(false);
    rl_variable_bind("enable-bracketed-paste", "off");
    /* candidates are drawn over the panes */
    rl_variable_bind("show-all-if-ambiguous", "on");
    rl_callback_handler_install("", finish_line);
    p.open = true;
    p.n_candidates = 0;
}

void sm_prompt_close(void)
{
    if (!p.open)
        return;
    sm_lineedit_abandon();
    rl_callback_handler_remove();
    swap_readline_settings(&p.before);
    if (p.before.out)
        fclose(p.before.out);
    sm_str_clear(&p.prompt);
    sm_str_clear(&p.text);
    sm_arena_clear(&p.arena);
    memset(&p, 0, sizeof p);
}

void sm_prompt_key(int byte)
{
    if (!p.open)
        return;
    p.n_candidates = 0;
    sm_lineedit_byte((unsigned char)byte);
}

void sm_prompt_type(int key)
{
    static const struct {
        int key;
        const char *bytes;
    } table[] = {{SM_KEY_UP, "\033[A"},      {SM_KEY_DOWN, "\033[B"},   {SM_KEY_RIGHT, "\033[C"},
                 {SM_KEY_LEFT, "\033[D"},    {SM_KEY_HOME, "\033[H"},   {SM_KEY_END, "\033[F"},
                 {SM_KEY_DELETE, "\033[3~"}, {SM_KEY_BACKSPACE, "\177"}};
    char bytes[4];
    if (p.open && key >= SM_KEY_SPECIAL)
        sm_lineedit_end_search();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (const char *b = table[i].bytes; key == table[i].key && *b; b++)
            sm_prompt_key(*b);
    if (key >= SM_KEY_SPECIAL || key == SM_KEY_BACKSPACE)
        return;
    size_t n = sm_utf8_encode((uint32_t)key, bytes);
    for (size_t i = 0; i < n; i++)
        sm_prompt_key((unsigned char)bytes[i]);
}

void sm_prompt_more(bool partial, size_t bodies)
{
    p.partial = partial;
    p.bodies = bodies;
}

void sm_prompt_set(const char *text)
{
    sm_lineedit_abandon();
    p.n_candidates = 0;
    rl_replace_line(text, 1);
    rl_point = rl_end;
}

/* Our prompt, or the prompt of readline ("(reverse-i-search)") without text between its marks \001
 * and \002. */
static void build_prompt(struct sm_str *out)
{
    const char *prompt = rl_display_prompt ? rl_display_prompt : "";
    bool hidden = false;
    if (!*prompt || prompt == rl_prompt) {
        sm_lineedit_prompt(p.session, p.partial, p.bodies, out);
        return;
    }
    sm_str_truncate(out, 0);
    for (; *prompt; prompt++) {
        if (*prompt == RL_PROMPT_START_IGNORE || *prompt == RL_PROMPT_END_IGNORE)
            hidden = *prompt == RL_PROMPT_START_IGNORE;
        else if (!hidden)
            sm_str_addc(out, *prompt);
    }
}

void sm_prompt_view(const char **prompt, const char **line, int *cursor_column)
{
    build_prompt(&p.prompt);
    sm_str_truncate(&p.text, 0);
    sm_str_add_escaped(&p.text, rl_line_buffer, (size_t)rl_point);
    *cursor_column = (int)(sm_text_width(sm_str_text(&p.prompt), p.prompt.len) +
                           sm_text_width(sm_str_text(&p.text), p.text.len));
    sm_str_add_escaped(&p.text, rl_line_buffer + rl_point, (size_t)(rl_end - rl_point));
    *prompt = sm_str_text(&p.prompt);
    *line = sm_str_text(&p.text);
}

const char *const *sm_prompt_candidates(size_t *n)
{
    *n = p.n_candidates;
    return p.n_candidates ? p.candidates : NULL;
}
