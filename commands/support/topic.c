#include "commands/support/topic.h"

const struct sm_topic sm_topics[] = {
    {
        "steps",
        "How steps are written",
        "step 100    @100    100      step 100; the three are the same\n"
        "first  last  .               the first, the newest, the current step\n"
        "+5  -5                       saved steps from the current one\n"
        "~137                         the saved step nearest to 137\n"
        "@-10m  @12:30:05             by wall time: so long before the newest data, at that time\n"
        "@eval:12  @100/worker_1      with a mode, with a worker; also \"mode eval\", \"worker "
        "worker_1\"\n"
        "100:200  100:200:10          from 100 to below 200, every tenth number\n"
        "100..200                     from 100 to 200\n"
        "all  0,10,20:40              every step, a list\n\n"
        "Steps are global, over all modes, unless a mode is named: then they count within it. Both "
        "are printed where they\n"
        "differ: step 103 (train 100). Several steps go to stat, tensors, info steps; in "
        "expressions name@0:40 is a series.",
        false,
    },
    {
        "patterns",
        "How tensors are chosen",
        "conv0_weight         the tensor of that name; quotes make any word a name: \"a b\"\n"
        "gradient/*  conv?    a glob: * ? [a-z]\n"
        "/bias$/              a regular expression, searched in the name, as Python's re\n"
        "+weights             all of a collection\n"
        "!*bias*              not these; alone it takes away from all\n\n"
        "Several words unite: stat gradient/* +losses !*bias*. \"set case off\" makes names match "
        "in any case.",
        false,
    },
    {
        "slices",
        "How a part of a tensor is taken",
        "conv0_weight[0]            the first along the first axis\n"
        "conv0_weight[-1,:,2]       negative indices count from the end, : is all of an axis\n"
        "conv0_weight[::2, 0:4]     start:stop:stride; what goes beyond the end is cut\n"
        "conv0_weight[..., 0]       ... is as many : as are needed\n\n"
        "As numpy's basic indexing, right behind the name. A single index that is out of range is "
        "an error.",
        false,
    },
    {
        "expressions",
        "What print, wait, where and conditions understand",
        "Numbers 12 0x1f 1e-3 inf nan 4k 2Mi; + - * / % ** ; < <= > >= == !=; && || !; a ? b : c; "
        "a:b.\n"
        "A tensor by its name, `a name: in backticks`, with a slice x[0,:] and a step: x@100 "
        "x@last x@-1 x@~137 x@eval:12.\n"
        "x@all is the series over the steps, x@0:40 and x@0..40 a part of it.\n"
        "$1 $ $$ the values printed before, $name what \"set $name = EXPR\" made; $t the tensor a "
        "condition is about.\n"
        "NaN makes every comparison false; isnan() asks for it.",
        true,
    },
    {
        "scripts",
        "How lines depend on each other",
        "if COND ... else ... end         the lines of one of the two\n"
        "while COND ... end               as long as it holds; loop_break leaves it, loop_continue "
        "asks again\n"
        "define NAME ... end              a command of your own; $arg0 $arg1 ... $argc in its "
        "lines\n"
        "document NAME ... end            its help; hook-NAME and hookpost-NAME run around a "
        "command\n"
        "-COMMAND                         a failure is told and forgotten; $_exitcode is its "
        "status\n\n"
        "\"else\" and \"end\" stand alone on their lines. A line that fails ends the script, "
        "unless \"set stop-on-error off\".",
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
