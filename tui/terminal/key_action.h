/* What keys do: one list of actions becomes the enum, the key map, key help, `info keys` and the
 * manual (as in tig). */
#ifndef SM_KEY_ACTION_H
#define SM_KEY_ACTION_H

#include "reader/base/str.h"

enum sm_context { SM_CTX_ALL, SM_CTX_LIST, SM_CTX_PLOT, SM_CTX_VALUE, SM_CTX_HELP, SM_CONTEXTS };

/* X(ID, "name", context, "keys separated by blanks", "what it does") -- key names: a letter, Tab,
 * S-Tab, Enter, Esc, Space, Up, PgDn, Home, F1, C-d. doc/language.md. */
#define SM_ACTIONS(X)                                                                              \
    X(HELP, "help", ALL, "? F1", "help for the focused pane; again closes")                        \
    X(COMMAND, "command", ALL, ":", "command line")                                                \
    X(CLOSE, "close", ALL, "q", "close the top layer; at the bottom ask to quit")                  \
    X(QUIT, "quit", ALL, "Q F10", "quit")                                                          \
    X(BACK, "back", ALL, "Esc", "step out one layer; never quits")                                 \
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
    X(UPWARDS, "upwards", ALL, "Backspace", "back out of it")                                      \
    X(SEARCH, "search", ALL, "/ F3", "search in the pane")                                         \
    X(NEXT_HIT, "next-hit", ALL, "n", "next hit")                                                  \
    X(PREV_HIT, "prev-hit", ALL, "N", "previous hit")                                              \
    X(FILTER, "filter", ALL, "\\ F4", "filter as you type")                                        \
    X(SORT_NEXT, "sort-next", LIST, "> F6", "order by the next column")                            \
    X(SORT_PREV, "sort-prev", LIST, "<", "order by the column before")                             \
    X(INVERT, "invert", LIST, "I", "the other way round")                                          \
    X(TAG, "tag", LIST, "Space", "tag: the pattern +tagged means all that are")                    \
    X(UNTAG, "untag", LIST, "U", "untag all")                                                      \
    X(PIN, "pin", ALL, "p", "keep its chart among the first; again: no longer")                    \
    X(TREE, "tree", LIST, "t F5", "by collection, or flat")                                        \
    X(STATISTIC, "statistic", LIST, "v", "health: another statistic")                              \
    X(STATISTIC_PREV, "statistic-prev", LIST, "V", "health: the statistic before")                 \
    X(ZOOM_IN, "zoom-in", LIST, "+", "health: fewer steps, about the cursor")                      \
    X(ZOOM_OUT, "zoom-out", LIST, "-", "health: more steps")                                       \
    X(VIEW_NEXT, "view-next", VALUE, "v", "the next view")                                         \
    X(VIEW_PREV, "view-prev", VALUE, "V", "the view before")                                       \
    X(VIEW_STATISTICS, "view-statistics", VALUE, "s", "statistics")                                \
    X(VIEW_VALUES, "view-values", VALUE, "x", "values")                                            \
    X(VIEW_HISTOGRAM, "view-histogram", VALUE, "H", "histogram")                                   \
    X(VIEW_TIME, "view-time", VALUE, "t", "over the steps")                                        \
    X(VIEW_IMAGE, "view-image", VALUE, "I", "as images, grey or in colour")                        \
    X(COLOURS, "colours", VALUE, "C", "colours of images: grey, viridis, cividis")                 \
    X(DRAWN_NEXT, "drawn-next", VALUE, "d",                                                        \
      "over the steps: heat, ridge, bands, or another statistic")                                  \
    X(DRAWN_PREV, "drawn-prev", VALUE, "u", "over the steps: the one before")                      \
    X(LOG_COUNTS, "log-counts", VALUE, "y", "counts linear or logarithmic")                        \
    X(SLICE, "slice", VALUE, "i", "type which slice is shown")                                     \
    X(PLANE_NEXT, "plane-next", VALUE, ">", "next place of the leading axes")                      \
    X(PLANE_PREV, "plane-prev", VALUE, "<", "the place of the leading axes before")                \
    X(STEP_PREV, "step-prev", ALL, "[", "previous saved step")                                     \
    X(STEP_NEXT, "step-next", ALL, "]", "next saved step")                                         \
    X(STEP_PREV_10, "step-prev-10", ALL, "{", "ten saved steps back")                              \
    X(STEP_NEXT_10, "step-next-10", ALL, "}", "ten saved steps on")                                \
    X(STEP_FIRST, "step-first", ALL, "0", "first step")                                            \
    X(STEP_LAST, "step-last", ALL, "$", "last step")                                               \
    X(FOLLOW, "follow", ALL, "f", "follow the newest step")                                        \
    X(NEXT_PROBLEM, "next-problem", ALL, "e",                                                      \
      "next problem: a rule, NaN, Inf, damaged file, gap, stall")                                  \
    X(PREV_PROBLEM, "prev-problem", ALL, "E", "previous problem")                                  \
    X(BREAK, "break", ALL, "b", "breakpoint on the current tensor: set, or delete")                \
    X(HIT_NEXT, "continue", ALL, "F8", "go on to the next breakpoint hit")                         \
    X(HIT_PREV, "reverse-continue", ALL, "F7", "go back to the breakpoint hit before")             \
    X(BOOKMARK, "bookmark", ALL, "m", "with a letter: remember this step")                         \
    X(JUMP, "jump", ALL, "'", "with a letter: go to the step remembered")                          \
    X(BASELINE, "baseline", ALL, "D", "this trial is the baseline for the others; again: none")    \
    X(NEXT_LAYOUT, "next-layout", ALL, "L",                                                        \
      "layout: main plots value rules health compare run cmd")                                     \
    X(PAUSE, "pause", ALL, "=", "pause or resume refreshing")                                      \
    X(Y_SCALE, "y-scale", PLOT, "y", "y axis linear, log, symlog")                                 \
    X(X_AXIS, "x-axis", PLOT, "x", "x axis step, relative, wall time")                             \
    X(OUTLIERS, "outliers", PLOT, "o", "clip outliers")                                            \
    X(CHART_IN, "chart-in", PLOT, "+", "a smaller part of the steps, about the cursor")            \
    X(CHART_OUT, "chart-out", PLOT, "-", "a larger part of the steps")                             \
    X(CHART_ALL, "chart-all", PLOT, "r", "all steps again")                                        \
    X(SMOOTH, "smoothing", PLOT, "s", "smoothing off, 0.6, 0.9")                                   \
    X(MOUSE, "mouse", ALL, "M", "mouse on or off: click, wheel")                                   \
    X(SYMBOLS, "symbols", ALL, "a", "braille, block, ASCII")                                       \
    X(SAVE_SCREEN, "save-screen", ALL, "C-s", "save the screen to a file")                         \
    X(COPY, "copy", ALL, "c", "copy the answer, or the current tensor's name")                     \
    X(PRINT_PANE, "print-pane", ALL, "P", "print the pane as plain text above the dashboard")      \
    X(SETTINGS, "settings", ALL, "S F2", "settings, to be changed")                                \
    X(WRITE_SETTINGS, "write-settings", ALL, "w F12", "write the settings to the init file")       \
    X(REDRAW, "redraw", ALL, "C-l", "draw again from nothing")                                     \
    X(SUSPEND, "suspend", ALL, "C-z", "suspend")                                                   \
    X(CANCEL, "cancel", ALL, "C-c", "cancel what runs")

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
enum sm_key_action sm_action_of_name(const char *name); /* NONE: there is none */
enum sm_context sm_context_of_name(const char *name);   /* SM_CONTEXTS: there is none */
const char *sm_context_name(enum sm_context c);         /* "everywhere", "list", ... */
int sm_key_of_name(const char *name, size_t n);         /* "C-d" is 4; SM_KEY_NONE: no such key */
void sm_key_name(int key, struct sm_str *out); /* appends it: sm_key_of_name the other way round */
/* the context's own binding first, then ALL's */
enum sm_key_action sm_keymap_find(int key, enum sm_context context);

#endif
