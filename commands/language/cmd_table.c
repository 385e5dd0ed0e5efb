/* The one list of commands: a new one is a record in its family's file, a line in cmd_list.h and a line here. */
#include "commands/language/cmd_list.h"

const struct sm_cmd *const sm_cmd_table[] = {
    &sm_cmd_open,    &sm_cmd_close,   &sm_cmd_refresh, &sm_cmd_trial,   &sm_cmd_add_trial, &sm_cmd_remove_trial,   &sm_cmd_doctor,  &sm_cmd_why,    &sm_cmd_info,
    &sm_cmd_tensors, &sm_cmd_tensor,  &sm_cmd_print,  &sm_cmd_output,  &sm_cmd_printf,  &sm_cmd_x,       &sm_cmd_stat,    &sm_cmd_hist,   &sm_cmd_series,
    &sm_cmd_spark,   &sm_cmd_plot,
    &sm_cmd_heatmap, &sm_cmd_image, &sm_cmd_strip, &sm_cmd_scatter, &sm_cmd_confusion, &sm_cmd_health,
    &sm_cmd_find_value, &sm_cmd_whatis,  &sm_cmd_ptype, &sm_cmd_save,  &sm_cmd_list,
    &sm_cmd_display, &sm_cmd_undisplay, &sm_cmd_step,  &sm_cmd_next,    &sm_cmd_reverse_step, &sm_cmd_reverse_next, &sm_cmd_goto, &sm_cmd_at, &sm_cmd_bookmark, &sm_cmd_until, &sm_cmd_bisect, &sm_cmd_wait,
    &sm_cmd_continue, &sm_cmd_reverse_continue, &sm_cmd_run,
    &sm_cmd_break, &sm_cmd_tbreak, &sm_cmd_watch, &sm_cmd_dprintf, &sm_cmd_commands, &sm_cmd_silent, &sm_cmd_condition, &sm_cmd_ignore, &sm_cmd_enable, &sm_cmd_disable, &sm_cmd_delete,
    &sm_cmd_explain, &sm_cmd_bt,      &sm_cmd_frame,   &sm_cmd_up,      &sm_cmd_down,    &sm_cmd_layers,  &sm_cmd_diff,    &sm_cmd_snapshot,
    &sm_cmd_assert,  &sm_cmd_with,    &sm_cmd_rule, &sm_cmd_report, &sm_cmd_help,    &sm_cmd_apropos, &sm_cmd_set,     &sm_cmd_show,    &sm_cmd_source,  &sm_cmd_echo,   &sm_cmd_shell,
    &sm_cmd_pipe,    &sm_cmd_history, &sm_cmd_complete, &sm_cmd_quit,
    &sm_cmd_if,      &sm_cmd_while,   &sm_cmd_loop_break, &sm_cmd_loop_continue, &sm_cmd_eval, &sm_cmd_define, &sm_cmd_document, &sm_cmd_alias,
    &sm_cmd_layout,  &sm_cmd_focus,   &sm_cmd_act,     &sm_cmd_screen,  &sm_cmd_tui,     &sm_cmd_key,     &sm_cmd_pane, &sm_cmd_winheight, &sm_cmd_winwidth,
    NULL,
};
