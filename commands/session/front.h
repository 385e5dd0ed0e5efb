/* What a command can ask of the dashboard. A prompt or a batch has none: session->front is NULL. */
#ifndef SM_FRONT_H
#define SM_FRONT_H

#include "reader/base/err.h"

#include <stddef.h>

/* A pane that is seen. */
struct sm_front_window {
    const char *name;
    int lines, columns; /* with the frame */
    bool focused;
};
struct sm_front_ops {
    bool (*layout)(void *ctx, const char *name, struct sm_err *err);
    bool (*new_layout)(void *ctx, const char *name, const char *spec, struct sm_err *err);
    bool (*focus)(void *ctx, const char *pane, struct sm_err *err);
    bool (*set)(void *ctx, const char *pane, const char *attribute, const char *value,
                struct sm_err *err);
    bool (*hide)(void *ctx, const char *pane, bool hide, struct sm_err *err);
    /* by: "12", "+3", "-3" */
    bool (*resize)(void *ctx, const char *pane, bool columns, const char *by, struct sm_err *err);
    bool (*reset_layout)(void *ctx, struct sm_err *err); /* the current one, as it was built in */
    /* what a key does, by the action's name */
    bool (*act)(void *ctx, const char *action, struct sm_err *err);
    /* line "": as it was */
    bool (*bind)(void *ctx, const char *context, const char *key, const char *line,
                 struct sm_err *err);
    bool (*save)(void *ctx, const char *path, struct sm_err *err); /* the screen as it is */
    /* the i-th pane; false: there are not so many */
    bool (*window)(void *ctx, size_t i, struct sm_front_window *out);
};

#endif
