/* Every command record, one line each; commands/language/cmd_table.c lists them in the same order.
 */
#ifndef SM_CMD_LIST_H
#define SM_CMD_LIST_H

#include "commands/language/cmd.h"

/* files and stack: cmd_files.c */
extern const struct sm_cmd sm_cmd_open;
extern const struct sm_cmd sm_cmd_close;
extern const struct sm_cmd sm_cmd_refresh;
extern const struct sm_cmd sm_cmd_trial; /* cmd_trials.c */
extern const struct sm_cmd sm_cmd_add_trial;
extern const struct sm_cmd sm_cmd_remove_trial;
extern const struct sm_cmd sm_cmd_info_trials; /* subcommand of info */
extern const struct sm_cmd sm_cmd_doctor;
extern const struct sm_cmd sm_cmd_why;
/* status: cmd_info.c */
extern const struct sm_cmd sm_cmd_info;
/* subcommands of info */
extern const struct sm_cmd sm_cmd_info_trial;       /* cmd_info_trial.c */
extern const struct sm_cmd sm_cmd_info_collections; /* cmd_info_collections.c */
extern const struct sm_cmd sm_cmd_info_collection;
extern const struct sm_cmd sm_cmd_info_steps; /* cmd_info_steps.c */
extern const struct sm_cmd sm_cmd_info_modes;
extern const struct sm_cmd sm_cmd_info_workers;
extern const struct sm_cmd sm_cmd_info_sessions;
extern const struct sm_cmd sm_cmd_info_errors;
extern const struct sm_cmd sm_cmd_info_expr;
extern const struct sm_cmd sm_cmd_info_environment;
extern const struct sm_cmd sm_cmd_info_size;
extern const struct sm_cmd sm_cmd_info_win;
extern const struct sm_cmd sm_cmd_info_watchpoints;
extern const struct sm_cmd sm_cmd_ptype; /* cmd_info_files.c */
extern const struct sm_cmd sm_cmd_info_files;
extern const struct sm_cmd sm_cmd_info_memory; /* cmd_info_session.c */
extern const struct sm_cmd sm_cmd_info_settings;
extern const struct sm_cmd sm_cmd_info_set;
extern const struct sm_cmd sm_cmd_info_keys;
extern const struct sm_cmd sm_cmd_info_tensors; /* cmd_tensors.c */
extern const struct sm_cmd sm_cmd_info_tensor;  /* cmd_info_tensor.c */
extern const struct sm_cmd sm_cmd_info_location;
/* data */
extern const struct sm_cmd sm_cmd_tensors;
extern const struct sm_cmd sm_cmd_tensor;
extern const struct sm_cmd sm_cmd_print;
extern const struct sm_cmd sm_cmd_output;
extern const struct sm_cmd sm_cmd_printf; /* cmd_printf.c */
extern const struct sm_cmd sm_cmd_eval;
extern const struct sm_cmd sm_cmd_x;
extern const struct sm_cmd sm_cmd_stat;
extern const struct sm_cmd sm_cmd_hist;
extern const struct sm_cmd sm_cmd_series;
extern const struct sm_cmd sm_cmd_spark;
extern const struct sm_cmd sm_cmd_plot;
extern const struct sm_cmd sm_cmd_heatmap;
extern const struct sm_cmd sm_cmd_image;
extern const struct sm_cmd sm_cmd_strip;
extern const struct sm_cmd sm_cmd_scatter;
extern const struct sm_cmd sm_cmd_confusion;
extern const struct sm_cmd sm_cmd_health;
extern const struct sm_cmd sm_cmd_find_value;
extern const struct sm_cmd sm_cmd_whatis; /* cmd_info_tensor.c */
extern const struct sm_cmd sm_cmd_save;
extern const struct sm_cmd sm_cmd_list;
/* cmd_display.c */
extern const struct sm_cmd sm_cmd_display;
extern const struct sm_cmd sm_cmd_undisplay;
extern const struct sm_cmd sm_cmd_info_display; /* subcommand of info */
/* running: cmd_time.c, cmd_wait.c */
extern const struct sm_cmd sm_cmd_step;
extern const struct sm_cmd sm_cmd_next;
extern const struct sm_cmd sm_cmd_reverse_step;
extern const struct sm_cmd sm_cmd_reverse_next;
extern const struct sm_cmd sm_cmd_goto;
extern const struct sm_cmd sm_cmd_at;
extern const struct sm_cmd sm_cmd_bookmark; /* cmd_bookmark.c */
extern const struct sm_cmd sm_cmd_until;    /* cmd_seek.c */
extern const struct sm_cmd sm_cmd_bisect;
extern const struct sm_cmd sm_cmd_wait;
/* stack: cmd_bt.c */
extern const struct sm_cmd sm_cmd_bt;
extern const struct sm_cmd sm_cmd_explain;
extern const struct sm_cmd sm_cmd_frame;
extern const struct sm_cmd sm_cmd_up;
extern const struct sm_cmd sm_cmd_down;
extern const struct sm_cmd sm_cmd_layers; /* cmd_layers.c */
/* cmd_continue.c */
extern const struct sm_cmd sm_cmd_continue;
extern const struct sm_cmd sm_cmd_reverse_continue;
extern const struct sm_cmd sm_cmd_run;
/* breakpoints: cmd_break.c, cmd_breakpoints.c */
extern const struct sm_cmd sm_cmd_break;
extern const struct sm_cmd sm_cmd_tbreak;
extern const struct sm_cmd sm_cmd_watch;    /* cmd_watch.c */
extern const struct sm_cmd sm_cmd_commands; /* cmd_commands.c */
extern const struct sm_cmd sm_cmd_silent;
extern const struct sm_cmd sm_cmd_dprintf;
extern const struct sm_cmd sm_cmd_condition;
extern const struct sm_cmd sm_cmd_ignore;
extern const struct sm_cmd sm_cmd_enable;
extern const struct sm_cmd sm_cmd_disable;
extern const struct sm_cmd sm_cmd_delete;
extern const struct sm_cmd sm_cmd_info_breakpoints; /* subcommand of info */
extern const struct sm_cmd sm_cmd_diff;             /* cmd_diff.c */
extern const struct sm_cmd sm_cmd_snapshot;         /* cmd_snapshot.c */
extern const struct sm_cmd sm_cmd_snapshot_save;    /* cmd_snapshot_save.c */
/* cmd_report.c */
extern const struct sm_cmd sm_cmd_report;
extern const struct sm_cmd sm_cmd_report_xgb; /* its subcommand, in report_xgb.c */
/* cmd_flow.c */
extern const struct sm_cmd sm_cmd_assert;
extern const struct sm_cmd sm_cmd_with;
/* rules: cmd_rule.c, cmd_verdict.c */
extern const struct sm_cmd sm_cmd_rule;
/* subcommands of rule and info that live in cmd_verdict.c */
extern const struct sm_cmd sm_cmd_rule_status;
extern const struct sm_cmd sm_cmd_rule_test;
extern const struct sm_cmd sm_cmd_rule_explain;
extern const struct sm_cmd sm_cmd_info_rules;
extern const struct sm_cmd sm_cmd_info_events;
/* cmd_branch.c */
extern const struct sm_cmd sm_cmd_if;
extern const struct sm_cmd sm_cmd_while;
extern const struct sm_cmd sm_cmd_loop_break;
extern const struct sm_cmd sm_cmd_loop_continue;
/* cmd_define.c */
extern const struct sm_cmd sm_cmd_define;
extern const struct sm_cmd sm_cmd_document;
extern const struct sm_cmd sm_cmd_alias;
/* of show; n 0: all */
bool sm_show_user(struct sm_call *c, struct sm_text name, struct sm_result *out,
                  struct sm_err *err);
/* text-user-interface: cmd_screen.c */
extern const struct sm_cmd sm_cmd_layout;
extern const struct sm_cmd sm_cmd_focus;
extern const struct sm_cmd sm_cmd_act;
extern const struct sm_cmd sm_cmd_screen;
extern const struct sm_cmd sm_cmd_tui;
extern const struct sm_cmd sm_cmd_winheight;
extern const struct sm_cmd sm_cmd_winwidth;
extern const struct sm_cmd sm_cmd_key;
extern const struct sm_cmd sm_cmd_pane; /* cmd_pane.c */
/* support: cmd_support.c, cmd_show.c, cmd_help.c */
extern const struct sm_cmd sm_cmd_help;
extern const struct sm_cmd sm_cmd_apropos;
extern const struct sm_cmd sm_cmd_set;
extern const struct sm_cmd sm_cmd_show;
extern const struct sm_cmd sm_cmd_source;
extern const struct sm_cmd sm_cmd_echo;
extern const struct sm_cmd sm_cmd_shell;
extern const struct sm_cmd sm_cmd_pipe;
extern const struct sm_cmd sm_cmd_history;
extern const struct sm_cmd sm_cmd_complete;
extern const struct sm_cmd sm_cmd_quit;

#endif
