/* The tensor pane's parts: what it looks at, and its views. pane_tensor.c has the frame, keys and
 * what is read; each view draws below the heading. For these alone. */
#ifndef SM_TENSOR_PANE_H
#define SM_TENSOR_PANE_H

#include "commands/values/downsample.h"
#include "tui/panes/pane.h"
#include "tui/tensor_pane/cells.h"
#include "tui/tensor_pane/step_window.h"

struct sm_tensor_pane_view;
/* What the pane keeps from frame to frame. */
struct sm_tensor_pane {
    size_t view; /* of sm_tensor_pane_views */
    uint32_t of; /* the tensor that slice and cursor are about */
    struct sm_slice slice;
    bool sliced;     /* slice.n > 0 */
    bool log_counts; /* of histograms */
    struct sm_cells cells;
    struct sm_step_window over;           /* the steps, of the view over time */
    size_t drawn;                         /* what that draws */
    enum sm_heat_map map;                 /* of pictures */
    uint64_t image, images_shown;         /* the first that is shown; how many */
    struct sm_works works;                /* the picture of them, once made */
    struct sm_downsample_spec image_spec; /* what it is of */
    uint64_t images_made;                 /* grows with each */
    bool unfinished;                      /* there is more to compute: draw again soon */
    struct sm_tensor_axes axes;           /* of the value drawn last; n_dims 0 before */
    /* The payload shown: kept while it is, whatever the cache needs room for. */
    struct sm_tensor *tensor;
    struct sm_trial *trial; /* whose, and of which record */
    uint32_t part;
    uint64_t offset, value;
};

/* What one frame is about: the newest value at or before the current step. */
struct sm_tensor_pane_now {
    const struct sm_view *v;
    struct sm_trial *trial;
    const struct sm_trial_tensor *x;
    const struct sm_entry *e;
    const struct sm_facts *facts; /* of the whole */
    const struct sm_slice *slice; /* NULL: the whole */
    bool focused;
};

/* One way to look at it. */
struct sm_tensor_pane_view {
    const char *name; /* "values": in the title and in commands */
    void (*draw)(struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now, struct sm_grid *g,
                 struct sm_rect r);
    /* false: not mine; NULL: it has none */
    bool (*act)(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a);
    bool cells; /* the title says which plane the cursor is on */
};
extern const struct sm_tensor_pane_view sm_tensor_pane_statistics, sm_tensor_pane_values,
    sm_tensor_pane_histogram, sm_tensor_pane_time, sm_tensor_pane_image;

/* The payload, asked for if need be. NULL: it is on its way, or cannot be read: *err says so. */
const struct sm_tensor *sm_tensor_pane_tensor(struct sm_tensor_pane *s,
                                              const struct sm_tensor_pane_now *now,
                                              struct sm_err *err);
/* what it was made of is no longer looked at */
void sm_tensor_pane_drop_image(struct sm_tensor_pane *s);
/* Text over as many lines as it needs. */
void sm_tensor_pane_text(struct sm_grid *g, struct sm_rect r, enum sm_role role, const char *text);
/* How it went over the steps, in any room. */
void sm_tensor_pane_draw_over(struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now,
                              struct sm_grid *g, struct sm_rect r);
/* "heat", "mean" ... */
bool sm_tensor_pane_set_drawn(struct sm_tensor_pane *s, const char *name, struct sm_err *err);
/* A quiet line: what is awaited, or why it cannot be. */
void sm_tensor_pane_say(const struct sm_tensor_pane_now *now, const struct sm_err *err,
                        struct sm_grid *g, struct sm_rect r);
/* With a baseline lines that say by how much its statistics differ; returns the next y. */
int sm_tensor_pane_differences(const struct sm_tensor_pane_now *now, struct sm_grid *g,
                               struct sm_rect r, int y);
/* One line of text; returns the next y. */
int sm_tensor_pane_line(struct sm_grid *g, struct sm_rect r, int y, enum sm_role role,
                        const char *text);

#endif
