/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/support/topic.h"

const struct sm_topic sm_topics[] = {
    {
        "steps",
        "Syntax of steps",
        "step 100    @100    100      step 100 (three equal forms)\n"
        "first  last  .               the first, the newest, the current step\n"
        "+5  -5                       N saved steps after, before the current step\n"
        "~137                         the saved step nearest to 137\n"
        "@-10m  @12:30:05             by wall time: 10 min before the newest data, at 12:30:05\n"
        "@eval:12  @100/worker_1      with a mode, with a worker; also \"mode eval\", \"worker "
        "worker_1\"\n"
        "100:200  100:200:10          from 100 to below 200, every tenth number\n"
        "100..200                     from 100 to 200\n"
        "all  0,10,20:40              every step, a list\n\n"
        "Steps count over all modes; with a mode they count within that mode.\n"
        "If the numbers differ, both are printed: step 103 (train 100). stat, tensors and info "
        "steps accept several steps; in "
        "expressions name@0:40 is a series.",
        false,
    },
    {
        "patterns",
        "Syntax of tensor patterns",
        "conv0_weight         the tensor with this name; a quoted word is always a name: \"a b\"\n"
        "gradient/*  conv?    a glob: * ? [a-z]\n"
        "/bias$/              a regular expression, searched in the name (syntax of Python's re)\n"
        "+weights             all tensors of a collection\n"
        "!*bias*              except these; alone: all tensors except these\n\n"
        "Several patterns are combined: stat gradient/* +losses !*bias*. \"set case off\" ignores "
        "case.",
        false,
    },
    {
        "slices",
        "Syntax of slices",
        "conv0_weight[0]            the first element along the first axis\n"
        "conv0_weight[-1,:,2]       negative indices count from the end, : is a complete axis\n"
        "conv0_weight[::2, 0:4]     start:stop:stride; cut at the end of the axis\n"
        "conv0_weight[..., 0]       ... is as many : as needed\n\n"
        "The same as basic indexing in numpy, directly after the name. A single index out of range "
        "is "
        "an error.",
        false,
    },
    {
        "expressions",
        "Syntax of expressions",
        "Numbers 12 0x1f 1e-3 inf nan 4k 2Mi; + - * / % ** ; < <= > >= == !=; && || !; a ? b : c; "
        "a:b.\n"
        "A tensor by its name, `a name: in backticks`, with a slice x[0,:] and a step: x@100 "
        "x@last x@-1 x@~137 x@eval:12.\n"
        "x@all is the series over all steps, x@0:40 and x@0..40 a part of it.\n"
        "$1 $ $$ are printed values, $name is a variable (set $name = EXPR), $t is the tensor that "
        "a "
        "condition tests.\n"
        "A comparison with NaN is false; isnan() tests for NaN.",
        true,
    },
    {
        "scripts",
        "Control flow in scripts",
        "if COND ... else ... end         runs the lines of one branch\n"
        "while COND ... end               repeats the lines while COND is true; loop_break leaves "
        "the loop,\n"
        "                                 loop_continue tests COND again\n"
        "define NAME ... end              a new command; its lines use $arg0 $arg1 ... $argc\n"
        "document NAME ... end            its help; hook-NAME runs before a command, "
        "hookpost-NAME after it\n"
        "-COMMAND                         errors are reported, then ignored; $_exitcode is the "
        "exit "
        "status\n\n"
        "\"else\" and \"end\" need a line of their own. An error ends the script, "
        "unless stop-on-error is off.",
        false,
    },
    {0},
};

const struct sm_topic *sm_topic_find(struct sm_text name)
{
    for (const struct sm_topic *t = sm_topics; t->name; t++)
        if (sm_text_is(name, t->name))
            return t;
    return NULL;
}
