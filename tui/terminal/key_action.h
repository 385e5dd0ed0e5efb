/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of keys: one list defines the enum, the key map, key help, `info keys` and the manual (as
 * in tig). */
#ifndef SM_KEY_ACTION_H
#define SM_KEY_ACTION_H

#include "reader/base/str.h"

enum sm_context { SM_CTX_ALL, SM_CTX_LIST, SM_CTX_PLOT, SM_CTX_VALUE, SM_CTX_HELP, SM_CONTEXTS };

/* X(ID, "name", context, "keys separated by blanks", "help") -- key names: a letter, Tab, S-Tab,
 * Enter, Esc, Space, Up, PgDn, Home, F1, C-d. doc/language.md. */
#define SM_ACTIONS(X)                                                                              \
    X(HELP, "help", ALL, "? F1", "help for the focused pane; again: close it")                     \
    X(COMMAND, "command", ALL, ":", "command line")                                                \
    X(CLOSE, "close", ALL, "q", "close an answer or a zoom; otherwise ask to quit")                \
    X(QUIT, "quit", ALL, "Q F10", "quit")                                                          \
    X(BACK, "back", ALL, "Esc", "close an answer, a zoom or a filter; never quits")                \
    X(NEXT_PANE, "next-pane", ALL, "Tab", "next pane")                                             \
    X(PREV_PANE, "prev-pane", ALL, "S-Tab", "previous pane")                                       \
    X(PANE, "pane", ALL, "1 2 3 4 5 6 7 8 9", "the pane with this number")                         \
    X(ZOOM, "zoom", ALL, "z O", "zoom the pane")                                                   \
    X(DOWN, "down", ALL, "j Down", "down")                                                         \
    X(UP, "up", ALL, "k Up", "up")                                                                 \
    X(LEFT, "left", ALL, "h Left", "left, or fold")                                                \
    X(RIGHT, "right", ALL, "l Right", "right, or unfold")                                          \
    X(HALF_DOWN, "half-page-down", ALL, "C-d", "half a page down")                                 \
    X(HALF_UP, "half-page-up", ALL, "C-u", "half a page up")                                       \
    X(PAGE_DOWN, "page-down", ALL, "PgDn C-f Space", "a page down")                                \
    X(PAGE_UP, "page-up", ALL, "PgUp C-b", "a page up")                                            \
    X(FIRST, "first", ALL, "g Home", "first")                                                      \
    X(LAST, "last", ALL, "G End", "last")                                                          \
    X(OPEN, "open", ALL, "Enter", "open what is under the cursor")                                 \
    X(UPWARDS, "upwards", ALL, "Backspace", "back to the list, then to the table of runs")         \
    X(SEARCH, "search", ALL, "/ F3", "search in the pane")                                         \
    X(NEXT_HIT, "next-hit", ALL, "n", "next hit")                                                  \
    X(PREV_HIT, "prev-hit", ALL, "N", "previous hit")                                              \
    X(FILTER, "filter", ALL, "\\ F4", "filter as you type")                                        \
    X(SORT_NEXT, "sort-next", LIST, "> F6", "sort by the next column")                             \
    X(SORT_PREV, "sort-prev", LIST, "<", "sort by the previous column")                            \
    X(INVERT, "invert", LIST, "I", "reverse the sort order")                                       \
    X(TAG, "tag", LIST, "Space", "mark a run, or tag a tensor (pattern +tagged)")                  \
    X(UNTAG, "untag", LIST, "U", "unmark all, untag all; runs: again, mark all")                   \
    X(PIN, "pin", ALL, "p", "pin its chart to the top; again: unpin")                              \
    X(COMPARE, "compare", LIST, "C", "runs: compare the marked runs")                              \
    X(HIDE, "hide", LIST, "H", "runs: hide this one, or put it back")                              \
    X(SHOW_HIDDEN, "show-hidden", LIST, "A", "runs: show hidden ones, too")                        \
    X(TREE, "tree", LIST, "t F5", "group by collection or key, or flat list")                      \
    X(STATISTIC, "statistic", LIST, "v", "next statistic (updates: from where; size: of what)")    \
    X(STATISTIC_PREV, "statistic-prev", LIST, "V", "previous statistic")                           \
    X(ZOOM_IN, "zoom-in", LIST, "+", "health: fewer steps; size: smaller modules")                 \
    X(ZOOM_OUT, "zoom-out", LIST, "-", "health: more steps; size: larger modules")                 \
    X(VIEW_NEXT, "view-next", VALUE, "v", "next view")                                             \
    X(VIEW_PREV, "view-prev", VALUE, "V", "previous view")                                         \
    X(VIEW_STATISTICS, "view-statistics", VALUE, "s", "statistics")                                \
    X(VIEW_VALUES, "view-values", VALUE, "x", "values")                                            \
    X(VIEW_HISTOGRAM, "view-histogram", VALUE, "H", "histogram")                                   \
    X(VIEW_TIME, "view-time", VALUE, "t", "over the steps")                                        \
    X(VIEW_IMAGE, "view-image", VALUE, "I", "as images, grey or in colour")                        \
    X(COLOURS, "colours", VALUE, "C", "colours of images: grey, viridis, cividis")                 \
    X(DRAWN_NEXT, "drawn-next", VALUE, "d", "over the steps: heat, ridge, bands, next statistic")  \
    X(DRAWN_PREV, "drawn-prev", VALUE, "u", "over the steps: previous drawing")                    \
    X(LOG_COUNTS, "log-counts", VALUE, "y", "counts linear or logarithmic")                        \
    X(SLICE, "slice", VALUE, "i", "type the slice to show")                                        \
    X(PLANE_NEXT, "plane-next", VALUE, ">", "next index of the leading axes")                      \
    X(PLANE_PREV, "plane-prev", VALUE, "<", "previous index of the leading axes")                  \
    X(STEP_PREV, "step-prev", ALL, "[", "previous step (one tensor or chart: with a value)")       \
    X(STEP_NEXT, "step-next", ALL, "]", "next step (one tensor or chart: with a value)")           \
    X(STEP_PREV_10, "step-prev-10", ALL, "{", "ten such steps back")                               \
    X(STEP_NEXT_10, "step-next-10", ALL, "}", "ten such steps forward")                            \
    X(STEP_FIRST, "step-first", ALL, "0", "first step")                                            \
    X(STEP_LAST, "step-last", ALL, "$", "last step")                                               \
    X(FOLLOW, "follow", ALL, "f", "follow the newest step")                                        \
    X(NEXT_PROBLEM, "next-problem", ALL, "e",                                                      \
      "next problem: rule, NaN, Inf, file, gap; Enter: explain")                                   \
    X(PREV_PROBLEM, "prev-problem", ALL, "E", "previous problem")                                  \
    X(VERDICT, "verdict", ALL, "W", "what is wrong: the verdict, its evidence; again: close")      \
    X(BREAK, "break", ALL, "b", "set or delete a breakpoint on the current tensor")                \
    X(HIT_NEXT, "continue", ALL, "F8", "continue to the next breakpoint hit")                      \
    X(HIT_PREV, "reverse-continue", ALL, "F7", "go back to the previous breakpoint hit")           \
    X(BOOKMARK, "bookmark", ALL, "m", "followed by a letter: bookmark this step")                  \
    X(JUMP, "jump", ALL, "'", "followed by a letter: go to its bookmark")                          \
    X(RANGE, "range", ALL, "R", "begin a range of steps here; again: end it; again: none")         \
    X(BASELINE, "baseline", ALL, "D", "make this trial the baseline; again: no baseline")          \
    X(NEXT_LAYOUT, "next-layout", ALL, "L",                                                        \
      "all layouts in turn: main plots ... system profile cmd")                                    \
    X(PROFILE, "profile", ALL, "T", "layouts system, profile and main in turn")                    \
    X(PAUSE, "pause", ALL, "=", "pause or resume refreshing")                                      \
    X(Y_SCALE, "y-scale", PLOT, "y", "y axis linear, log, symlog")                                 \
    X(X_AXIS, "x-axis", PLOT, "x", "x axis step, relative, wall time")                             \
    X(X_SCALE, "x-scale", PLOT, "X", "x axis linear, log")                                         \
    X(OUTLIERS, "outliers", PLOT, "o", "clip outliers")                                            \
    X(CHART_IN, "chart-in", PLOT, "+", "fewer steps, around the cursor")                           \
    X(CHART_OUT, "chart-out", PLOT, "-", "more steps")                                             \
    X(CHART_ALL, "chart-all", PLOT, "r", "all steps again")                                        \
    X(CHART_ORDER, "chart-order", PLOT, ">", "order of charts: kind, name, newest, hand")          \
    X(CHART_LATER, "chart-later", PLOT, "J", "move the chart one place on")                        \
    X(CHART_EARLIER, "chart-earlier", PLOT, "K", "move the chart one place back")                  \
    X(SMOOTH, "smoothing", PLOT, "s", "smoothing off, 0.6, 0.9")                                   \
    X(CHART_LEGEND, "chart-legend", PLOT, "v", "legend: as it fits, one beside, in each chart")    \
    X(MOUSE, "mouse", ALL, "M", "mouse on or off: click, wheel")                                   \
    X(SYMBOLS, "symbols", ALL, "a", "braille, block, ASCII")                                       \
    X(SAVE_SCREEN, "save-screen", ALL, "C-s", "save the screen to a file")                         \
    X(COPY, "copy", ALL, "c", "copy the answer, or the current tensor's name")                     \
    X(PRINT_PANE, "print-pane", ALL, "P", "print the pane as plain text above the dashboard")      \
    X(SETTINGS, "settings", ALL, "S F2", "show and change the settings")                           \
    X(WRITE_SETTINGS, "write-settings", ALL, "w F12", "write the settings to the init file")       \
    X(REDRAW, "redraw", ALL, "C-l", "redraw the screen")                                           \
    X(SUSPEND, "suspend", ALL, "C-z", "suspend")                                                   \
    X(CANCEL, "cancel", ALL, "C-c", "cancel the running command")

enum sm_key_action {
    SM_ACT_NONE,
#define SM_ACTION_ENUM(id, name, context, keys, help) SM_ACT_##id,
    SM_ACTIONS(SM_ACTION_ENUM)
#undef SM_ACTION_ENUM
        SM_ACT_COUNT
};
struct sm_action_row {
    enum sm_key_action id;
    const char *name, *keys, *help;
    enum sm_context context;
};
const struct sm_action_row *sm_action_row(enum sm_key_action a);
enum sm_key_action sm_action_of_name(const char *name); /* SM_ACT_NONE if unknown */
enum sm_context sm_context_of_name(const char *name);   /* SM_CONTEXTS if unknown */
const char *sm_context_name(enum sm_context c);         /* "everywhere", "list", ... */
int sm_key_of_name(const char *name, size_t n);         /* "C-d" is 4; SM_KEY_NONE if unknown */
void sm_key_name(int key, struct sm_str *out); /* appends the name; inverse of sm_key_of_name */
/* the binding of the context, else the binding of ALL */
enum sm_key_action sm_keymap_find(int key, enum sm_context context);

#endif
