/* SPDX-License-Identifier: Apache-2.0 */
/* bookmark: names steps with a letter. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/stops.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "letter", .header = "LETTER"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
};

static bool list_bookmarks(struct sm_call *c, struct sm_result *out)
{
    const struct sm_bookmarks *b = &c->session->bookmarks;
    const char *path = sm_place_bookmark_key(c, sm_session_trial(c->session));
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < b->n; i++) {
        const char letter[] = {b->items[i].letter, '\0'};
        if (strcmp(b->items[i].trial, path) != 0)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "letter", letter);
        sm_node_int(out, row, "step", b->items[i].step);
    }
    sm_result_listing(out, list, columns, COUNT(columns));
    if (!list->first)
        sm_result_dim(out,
                      "No bookmarks in this trial: \"bookmark a\" remembers the current step.");
    return true;
}

static bool goto_bookmark(struct sm_call *c, char letter, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_step step;
    if (!sm_place_bookmark(c, sm_session_trial(s), letter, &step))
        return sm_err_set(err, SM_ERR_MISSING, "No bookmark \"%c\" in this trial.", letter);
    s->at.step = step;
    s->at.follow = false;
    sm_place_leave_mode(&s->at);
    return true;
}

static bool run_bookmark(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_step step = sm_session_step(s);
    if (!c->n_words)
        return list_bookmarks(c, out);
    struct sm_text word = c->words[0].text;
    if (word.n != 1 || !sm_bookmark_letter(word.p[0]))
        return sm_err_set(err, SM_ERR_USAGE, "A bookmark is one letter or digit, not \"%.*s\".",
                          (int)word.n, word.p);
    if (sm_call_flag(c, "go"))
        return goto_bookmark(c, word.p[0], err);
    if (c->n_words > 1 &&
        !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), c->words[1].text, &step, err))
        return false;
    if (step.n < 0)
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    sm_bookmarks_set(&s->bookmarks, sm_place_bookmark_key(c, sm_session_trial(c->session)),
                     word.p[0], step.n);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_textn(out, map, "letter", word.p, 1);
    sm_node_int(out, map, "step", step.n);
    sm_result_text(out, "Bookmark %c is step %lld.", word.p[0], (long long)step.n);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "LETTER", .kind = SM_ARG_TEXT},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {0},
};
static const struct sm_option options[] = {
    {.name = "go", .kind = SM_ARG_FLAG, .help = "Go to the step instead"}, {0}};

const struct sm_cmd sm_cmd_bookmark = {
    .name = "bookmark",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Set or go to a bookmark; without LETTER, list bookmarks",
    .help = "The bookmark is for STEP, or for the current step. The dashboard stores bookmarks "
            "between sessions, for each\n"
            "trial; there \"m\" and the letter set a bookmark, \"'\" and the letter go to it. A "
            "bookmark may be used wherever a\n"
            "step is expected: goto a, at 'a -- bt.",
    .example = "bookmark a 10",
    .see_also = "goto",
    .args = args,
    .options = options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "[{letter:text,step:int}]|{letter:text,step:int}",
    .run = run_bookmark,
};
