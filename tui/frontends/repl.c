/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt on a plain terminal. readline reads the terminal by callbacks from the loop. While a
 * command runs the terminal is in its normal mode: Ctrl-C and Ctrl-Z are signals, and keys typed
 * ahead are read by the next prompt. A question about quitting is a PROMPT with another text.
 *
 *   STARTING --trial read--> IDLE --> PROMPT --line--> RUNNING --all done--> IDLE
 *                                                         |  ^
 *                                              page full  v  | key
 *                                                       PAGING
 */
#include "commands/session/incident.h"
#include "commands/session/session_settings.h"
#include "commands/verdict/session_verdict.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "tui/app/startup.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/frontends/frontend.h"
#include "tui/terminal/history.h"
#include "tui/terminal/lineedit.h"
#include "tui/terminal/pager.h"
#include "tui/terminal/progress.h"
#include "tui/terminal/restore.h"
#include "tui/terminal/shell.h"
#include "tui/terminal/terminal.h"
#include "tui/terminal/title.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/readline.h>

enum { GREETING_WAIT_US = 2000000, TWICE_US = 1000000 };

enum state { STARTING, IDLE, PROMPT, RUNNING, PAGING };

struct repl {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    const struct sm_options *options;
    enum state state;
    struct sm_pager pager;
    int keys;             /* stdin, without waiting */
    struct termios usual; /* the terminal's mode before the pager's */
    int64_t started_us;   /* STARTING: the program; RUNNING: the command */
    struct sm_progress progress;
    struct sm_title title;
    int64_t interrupted_us; /* the last Ctrl-C at an empty prompt */
    bool asking_quit;       /* the prompt is "Quit? (y or n) " */
    bool skip_return;       /* the pager was left with a key: ignore a Return after it */
    bool marks_pastes;      /* readline makes the terminal do so */
    bool ended;             /* no more lines to read */
    bool line_open;         /* the last answer has no line end: the prompt starts a new line */
};
static struct repl *the_repl; /* readline's line function has no context */

/* ---- the pager ---- */

static void on_page_key(void *ctx)
{
    struct repl *r = ctx;
    char key = 4;
    if (read(r->keys, &key, 1) < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (sm_pager_key(&r->pager, key) == SM_PAGER_QUIT)
        sm_exec_cancel(r->exec);
    r->skip_return = key == 'q' || key == 'c';
}

/* Reads single keys while the question is shown. */
static void enter_paging(struct repl *r)
{
    const struct sm_loop_source source = {.fd = STDIN_FILENO, .ready = on_page_key, .ctx = r};
    struct termios raw;
    if (r->state == PAGING || tcgetattr(STDIN_FILENO, &r->usual) != 0)
        return;
    raw = r->usual;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    r->state = PAGING;
    sm_loop_add(r->loop, &source);
}

static void leave_paging(struct repl *r)
{
    if (r->state != PAGING)
        return;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &r->usual);
    sm_loop_remove(r->loop, STDIN_FILENO);
    r->state = RUNNING;
}

static void set_page(struct repl *r)
{
    const struct sm_session_settings *v = sm_session_settings(r->session);
    int64_t height = v->height;
    bool pages = v->pagination && r->session->term.on_tty && isatty(STDIN_FILENO);
    if (height < 0)
        height = r->session->term.h;
    r->pager.height = pages && height < 100000 ? (int)height : 0;
    r->pager.width = r->session->term.w;
}

/* ---- answers ---- */

static void finish_line(struct repl *r)
{
    if (r->line_open)
        sm_pager_add(&r->pager, "\n", 1);
    r->line_open = false;
}

static void show_answer(void *ctx, const char *text, size_t n)
{
    struct repl *r = ctx;
    r->line_open = n && text[n - 1] != '\n';
    sm_progress_erase(&r->progress);
    set_page(r);
    sm_pager_add(&r->pager, text, n);
}

/* Errors go through the pager if it asks and both go to the screen, to keep their order. */
static void show_error(void *ctx, const char *text, size_t n)
{
    struct repl *r = ctx;
    sm_progress_erase(&r->progress);
    finish_line(r);
    if (r->pager.asking && isatty(STDERR_FILENO))
        sm_pager_add(&r->pager, text, n);
    else
        sm_terminal_write(STDERR_FILENO, text, n);
}

static int run_shell(void *ctx, const char *command, const char *input, size_t n)
{
    sm_progress_erase(&((struct repl *)ctx)->progress);
    int status = sm_shell_run(command, input, n);
    if (status == 128 + SIGINT)
        sm_terminal_write(STDOUT_FILENO, "\n", 1); /* after the terminal's ^C */
    return status;
}

/* ---- the prompt ---- */

static void on_line(char *line);

static void on_stdin(void *ctx)
{
    struct repl *r = ctx;
    unsigned char byte;
    ssize_t n = read(r->keys, &byte, 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n == 1) {
        sm_lineedit_byte(byte);
    } else {
        rl_stuff_char(EOF);
        rl_callback_read_char();
    }
}

static void show_title(struct repl *r)
{
    struct sm_str sequence = {0};
    if (r->session->term.on_tty)
        sm_title_update(&r->title, r->session, &sequence);
    sm_terminal_write(STDOUT_FILENO, sm_str_text(&sequence), sequence.len);
    sm_str_clear(&sequence);
}

static void open_prompt(struct repl *r)
{
    const struct sm_loop_source source = {.fd = STDIN_FILENO, .ready = on_stdin, .ctx = r};
    struct sm_str prompt = {0};
    sm_lineedit_prompt(r->session, sm_exec_partial(r->exec), sm_exec_bodies(r->exec), &prompt);
    rl_callback_handler_install(r->asking_quit ? "Quit? (y or n) " : sm_str_text(&prompt), on_line);
    sm_str_clear(&prompt);
    show_title(r);
    if (r->state != PROMPT)
        sm_loop_add(r->loop, &source);
    r->state = PROMPT;
    sm_restore_pastes(r->marks_pastes);
}

static void close_prompt(struct repl *r)
{
    if (r->state != PROMPT)
        return;
    rl_callback_handler_remove();
    sm_restore_pastes(false);
    sm_loop_remove(r->loop, STDIN_FILENO);
    r->state = RUNNING;
}

/* Runs the lines of a line or a paste. */
static void run_lines(struct repl *r, char *text)
{
    for (char *line; (line = strsep(&text, "\n"));) {
        sm_lineedit_remember(r->session, line);
        sm_exec_line(r->exec, line, SM_FROM_PROMPT);
    }
}

static void on_line(char *line)
{
    struct repl *r = the_repl;
    bool skip_return = r->skip_return && line && !*line;
    r->skip_return = false;
    r->interrupted_us = 0;
    close_prompt(r);
    r->started_us = sm_clock_mono_us();
    sm_progress_begin(&r->progress);
    sm_pager_begin(&r->pager);
    if (!line) {
        sm_terminal_write(STDOUT_FILENO, "quit\n", 5);
        r->ended = true;
    } else if (r->asking_quit) {
        r->ended = *line == 'y' || *line == 'Y';
    } else if (!skip_return) {
        run_lines(r, line);
    }
    r->asking_quit = false;
    rl_free(line);
}

/* Prints a line, for example for a rule that fired, and restores the prompt. */
static void on_incident(void *ctx, const struct sm_incident *e)
{
    struct repl *r = ctx;
    sm_progress_erase(&r->progress);
    struct sm_str text = {0};
    sm_str_printf(&text, "%s%s%s\n", r->state == PROMPT ? "\n" : "", e->bell ? "\a" : "", e->text);
    sm_terminal_write(STDOUT_FILENO, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    if (r->state == PROMPT) {
        rl_on_new_line();
        rl_forced_update_display();
    }
}

/* ---- signals ---- */

static void clear_line(struct repl *r)
{
    sm_lineedit_abandon();
    sm_terminal_write(STDOUT_FILENO, "^C\n", 3); /* readline leaves with a carriage return */
    rl_callback_handler_remove();
    open_prompt(r);
}

static void interrupt(struct repl *r)
{
    if (r->state == PROMPT) {
        int64_t now = sm_clock_mono_us();
        bool empty = rl_end == 0 && !sm_exec_partial(r->exec) && !r->asking_quit;
        r->asking_quit = empty && r->interrupted_us && now - r->interrupted_us < TWICE_US;
        r->interrupted_us = empty ? now : 0;
        sm_exec_cancel(r->exec); /* an incomplete line */
        clear_line(r);
        return;
    }
    sm_pager_drop(&r->pager);
    sm_exec_cancel(r->exec);
}

/* Restores the terminal's mode; prepare_terminal sets the mode of the state again. */
static void restore_terminal(struct repl *r)
{
    sm_progress_erase(&r->progress);
    if (r->state == PROMPT)
        rl_deprep_term_function();
    if (r->state == PAGING)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &r->usual);
    sm_restore_mode(false);
}

static void prepare_terminal(struct repl *r)
{
    if (r->state == PROMPT) {
        rl_prep_term_function(1);
        rl_on_new_line();
        rl_forced_update_display();
    }
    if (r->state == PAGING) {
        r->state = RUNNING;
        sm_loop_remove(r->loop, STDIN_FILENO);
        enter_paging(r);
    }
}

static void on_signal(void *ctx, int signo)
{
    struct repl *r = ctx;
    if (signo == SIGINT) {
        interrupt(r);
    } else if (signo == SIGWINCH) {
        sm_terminal_size(r->session);
        set_page(r);
        if (r->state == PROMPT) {
            sm_lineedit_measure();
            rl_forced_update_display();
        }
    } else if (signo == SIGTSTP) {
        restore_terminal(r);
        sm_loop_raise(r->loop, SIGTSTP);
        prepare_terminal(r);
    } else if (signo == SIGTERM || signo == SIGHUP) {
        restore_terminal(r);
        if (r->state == PROMPT)
            sm_terminal_write(STDOUT_FILENO, "\n", 1);
        sm_lineedit_save(r->session);
        sm_loop_raise(r->loop, signo);
    }
}

/* ---- turns ---- */

static bool ready_to_greet(const struct repl *r)
{
    const struct sm_trial *t = sm_session_trial(r->session);
    return !t || sm_trial_scanned(t) || sm_clock_mono_us() >= r->started_us + GREETING_WAIT_US;
}

static void greet(struct repl *r)
{
    struct sm_str text = {0};
    sm_greeting(r->session, &text);
    if (!r->options->quiet)
        sm_terminal_write(STDOUT_FILENO, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct repl *r = ctx;
    (void)changed;
    if (r->state == PAGING && !r->pager.asking)
        leave_paging(r);
    if (r->pager.asking) {
        enter_paging(r);
        return INT64_MAX;
    }
    if (sm_exec_quit(r->exec) || r->ended || r->pager.failed) {
        sm_loop_stop(r->loop);
        return INT64_MAX;
    }
    if (sm_loop_busy(r->loop))
        return r->state == PROMPT ? INT64_MAX : sm_progress_show(&r->progress, r->session, r->exec);
    if (sm_dashboard_state(r->session)->next_frontend == SM_FRONTEND_DASHBOARD) {
        sm_loop_stop(r->loop);
        return INT64_MAX;
    }
    if (r->state == STARTING && !ready_to_greet(r))
        return r->started_us + GREETING_WAIT_US;
    sm_progress_erase(&r->progress);
    if (r->state == STARTING && !r->options->resumed &&
        !sm_options_have_commands(r->options, false))
        greet(r);
    if (r->state != PROMPT) {
        finish_line(r);
        open_prompt(r);
    }
    if (r->session->term.on_tty)
        sm_session_verdict_tell(r->session);
    return INT64_MAX;
}

static bool can_show_dashboard(void)
{
    char *lacks = sm_terminal_lacks();
    bool can = !lacks && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    sm_free(lacks);
    return can;
}

static void start_repl(struct repl *r)
{
    struct sm_session *s = r->session;
    static const struct sm_exec_ops ops = {
        .answer = show_answer, .complain = show_error, .shell = run_shell};
    the_repl = r;
    s->incidents->on_added = on_incident;
    s->incidents->ctx = r;
    s->interactive = true;
    sm_session_verdict_watch(s, isatty(STDOUT_FILENO));
    sm_dashboard_state(s)->may_switch = can_show_dashboard();
    sm_terminal_size(s);
    if (!s->term.on_tty)
        rl_outstream = stderr; /* answers go to a file or pipe, the prompt to the screen */
    r->exec = sm_exec_new(s, &ops, r);
    r->pager.out = STDOUT_FILENO;
    r->keys = sm_terminal_open_keys();
    r->started_us = sm_clock_mono_us();
    sm_progress_begin(&r->progress);
    const char *term = getenv("TERM");
    r->marks_pastes = s->term.on_tty && term && *term && strcmp(term, "dumb") != 0;
    sm_restore_remember();
    sm_loop_set_exec(r->loop, r->exec);
    sm_loop_on_turn(r->loop, NULL, NULL);
    sm_loop_on_signal(r->loop, on_signal, r);
    sm_lineedit_init(s);
    sm_lineedit_take_bytes(true);
    sm_lineedit_measure();
    sm_startup(r->loop, r->exec, r->options);
    sm_loop_on_turn(r->loop, on_turn, r);
}

static void save_history(struct repl *r)
{
    struct sm_err err = {0};
    if (!sm_history_save(r->session, &err))
        fprintf(stderr, "%s\n", err.msg);
}

int sm_repl_run(struct sm_loop *l, const struct sm_options *o)
{
    struct repl r = {.loop = l, .session = sm_loop_session(l), .options = o};
    start_repl(&r);
    sm_loop_run(l);
    r.session->incidents->on_added = NULL;
    sm_session_verdict_watch(r.session, false);
    r.session->interactive = sm_dashboard_state(r.session)->may_switch = false;
    close_prompt(&r);
    leave_paging(&r);
    sm_progress_erase(&r.progress);
    save_history(&r);
    sm_title_close(&r.title);
    int status = sm_exec_status(r.exec);
    sm_loop_leave(l);
    sm_exec_free(r.exec);
    sm_pager_clear(&r.pager);
    sm_terminal_close_keys(r.keys);
    sm_progress_clear(&r.progress);
    the_repl = NULL;
    return status;
}
