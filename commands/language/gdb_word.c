/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/gdb_word.h"

#include <string.h>

/* Sorted by parent and word. */
static const struct {
    const char *parent, *word, *hint;
} words[] = {
    {"", "adv", "\"goto STEP\" goes to a step, \"until EXPR\" to a condition."},
    {"", "advance", "\"goto STEP\" goes to a step, \"until EXPR\" to a condition."},
    {"", "attach", "\"open PATH\" follows the trial of a running job."},
    {"", "awatch", "\"watch\" stops where a value changes."},
    {"", "call", "\"print EXPR\" evaluates an expression."},
    {"", "catch",
     "\"break error\" stops at values that cannot be read, \"break rule NAME\" at "
     "violations."},
    {"", "cd", "\"open PATH\" opens another trial."},
    {"", "clear", "\"delete N\" deletes a breakpoint."},
    {"", "core", "\"open PATH\" opens a trial."},
    {"", "core-file", "\"open PATH\" opens a trial."},
    {"", "detach", "\"close\" closes a trial."},
    {"", "disas", "\"x/8g NAME\" prints elements in memory order."},
    {"", "disassemble", "\"x/8g NAME\" prints elements in memory order."},
    {"", "explore", "\"info tensor NAME\" describes a tensor."},
    {"", "file", "\"open PATH\" opens a trial."},
    {"", "fin", "\"continue\" goes to the next stop, \"up\" to the next frame of bt."},
    {"", "finish", "\"continue\" goes to the next stop, \"up\" to the next frame of bt."},
    {"", "gcore", "\"snapshot save FILE\" saves part of a trial."},
    {"", "generate-core-file", "\"snapshot save FILE\" saves part of a trial."},
    {"", "jump", "\"goto STEP\" goes to a step."},
    {"", "kill", "\"close\" closes a trial; the job is not changed."},
    {"", "return", "\"continue\" goes to the next stop, \"up\" to the next frame of bt."},
    {"", "rwatch", "\"watch\" stops where a value changes."},
    {"", "search", "\"tensors PATTERN\" finds tensors, \"find VALUE\" elements."},
    {"", "start", "\"run\" begins at the first step, \"goto first\" only goes there."},
    {"", "starti", "\"run\" begins at the first step, \"goto first\" only goes there."},
    {"", "symbol-file", "\"open PATH\" opens a trial."},
    {"", "target", "\"open PATH\" follows the trial of a running job."},
    {"", "thread", "\"info workers\" lists the workers, \"@100/worker_1\" selects one."},
    {"info", "all-registers", "\"tensors\" lists the tensors."},
    {"info", "args", "\"tensors step .\" lists what was saved at the step."},
    {"info", "frame", "\"frame\" shows the selected frame of bt."},
    {"info", "functions", "\"tensors PATTERN\" lists tensors."},
    {"info", "inferiors", "\"info trials\" lists the open trials."},
    {"info", "line", "\"info location NAME\" shows where a value is on disk."},
    {"info", "locals", "\"tensors step .\" lists what was saved at the step."},
    {"info", "program", "\"info trial\" describes the trial."},
    {"info", "registers", "\"tensors\" lists the tensors."},
    {"info", "signals", "\"info events\" lists what happened."},
    {"info", "source", "\"info trial\" describes the trial."},
    {"info", "symbol", "\"info tensor NAME\" describes a tensor."},
    {"info", "threads", "\"info workers\" lists the workers."},
    {"info", "variables", "\"tensors PATTERN\" lists tensors, \"show convenience\" variables."},
};

const char *sm_gdb_word_hint(const char *parent, const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].parent, parent ? parent : "") == 0 && strlen(words[i].word) == n &&
            memcmp(words[i].word, word, n) == 0)
            return words[i].hint;
    return NULL;
}
