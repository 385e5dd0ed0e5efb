/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of a completion, by kind of argument. Private to complete.c, which finds the kind.
 */
#ifndef SM_CANDIDATES_H
#define SM_CANDIDATES_H

#include "commands/support/complete.h"

struct completer {
    struct sm_session *s;
    const char *line;
    size_t n;
    struct sm_candidates *out;
    const char *partial; /* the typed part of the word, without an opening quote */
    size_t partial_n;
    bool quote; /* the word starts with a quote */
    /* the line so far */
    const struct sm_cmd *cmd;
    const char *words[64]; /* complete words after the command, for settings and help */
    size_t n_words;
};

/* Each function adds the candidates that start with the partial word. */
/* a word of the program: needs no quotes */
void sm_candidates_add(struct completer *c, const char *text);
void sm_candidates_sort(struct completer *c);
void sm_candidates_commands(struct completer *c, const struct sm_cmd *const *list);
void sm_candidates_options(struct completer *c);
void sm_candidates_fields(struct completer *c); /* after -field; moves the start behind a comma */
void sm_candidates_kind(struct completer *c, enum sm_arg_kind kind, const char *const *words);
/* a name of the trial: quoted if needed */
void sm_candidates_name(struct completer *c, const char *name, size_t n);
void sm_candidates_words(struct completer *c, const char *const *words);
void sm_candidates_rules(struct completer *c);
void sm_candidates_rule_params(struct completer *c); /* of the rule that is the first word */
void sm_candidates_instances(struct completer *c);
/* Names of settings, starting at word `first`; values: also the values of a setting. */
void sm_candidates_settings(struct completer *c, size_t first, bool values);
void sm_candidates_shown(struct completer *c); /* after "show" */
void sm_candidates_users(struct completer *c); /* user-defined commands */

#endif
