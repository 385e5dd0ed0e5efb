/* The one list of commands: a new one is a record in its family's file, a line in cmd_list.h and a line here. */
#include "commands/cmd_list.h"

const struct sm_cmd *const sm_cmd_table[] = {
    &sm_cmd_help,
    &sm_cmd_apropos,
    &sm_cmd_set,
    &sm_cmd_show,
    &sm_cmd_source,
    &sm_cmd_echo,
    &sm_cmd_shell,
    &sm_cmd_pipe,
    &sm_cmd_history,
    &sm_cmd_complete,
    &sm_cmd_quit,
    NULL,
};
