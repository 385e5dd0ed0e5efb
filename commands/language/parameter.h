/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a command as programs see them: positional and keyword arguments, options, and
 * what is attached to a word (the slice of a tensor, the format after the slash), in one list with
 * one name each. Requests (request.h), `help -json` and doc/protocol.schema.json use it; the rows
 * come from the record of the command. */
#ifndef SM_PARAMETER_H
#define SM_PARAMETER_H

#include "commands/language/cmd.h"

/* How a line has it. */
enum sm_parameter_form {
    SM_FORM_POSITIONAL,
    SM_FORM_KEYWORD,
    SM_FORM_OPTION,
    SM_FORM_SLICE /* attached to the name of the tensor */,
    SM_FORM_FORMAT /* after the slash */
};
const char *sm_parameter_form_name(enum sm_parameter_form f); /* "positional" */

enum { SM_PARAMETERS_MAX = 40, SM_PARAMETER_NAME = 40 };
struct sm_parameter {
    char name[SM_PARAMETER_NAME]; /* as in JSON: lower case, with '_' between words */
    enum sm_parameter_form form;
    enum sm_arg_kind kind;
    bool required, repeats;
    const char *value;              /* its name in the usage, "STEP"; NULL for a flag */
    const char *const *words;       /* the values, or values that are offered; NULL: none */
    const char *initial, *unit;     /* or NULL */
    const char *help;               /* one line */
    const struct sm_arg *arg;       /* the positional or keyword argument, else NULL */
    const struct sm_option *option; /* else NULL */
};
struct sm_parameters {
    struct sm_parameter items[SM_PARAMETERS_MAX];
    size_t n;
};
/* A positional argument that a keyword gives, too (`tensor NAME 100`, `step 100`) is in the list
 * once, as the keyword. */
void sm_cmd_parameters(const struct sm_cmd *cmd, struct sm_parameters *out);
/* The parameter of this name, or NULL. '-' and '_' are the same. */
const struct sm_parameter *sm_parameter_find(const struct sm_parameters *all, const char *name);
/* The one that the name may mean: by the word in the usage ("reduction" for reduce REDUCTION), by a
 * common start, by edit distance. NULL: none is close. */
const struct sm_parameter *sm_parameter_near(const struct sm_parameters *all, const char *name);

/* "tensor", "expression", "enum" ...: the kind in `help -json`. */
const char *sm_arg_kind_name(enum sm_arg_kind k);
/* "a step: a number, first, last ...": what values of the kind look like. */
const char *sm_arg_kind_help(enum sm_arg_kind k);

#endif
