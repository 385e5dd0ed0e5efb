/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the tensor pane, used only by its files: the state and the views. pane_tensor.c
 * draws the frame, handles keys and reads the value; each view draws below the heading.
 *
 * The room tui/tensor_pane hands out one record, sm_pane_value (tui/panes/pane_list.h). */
#ifndef SM_TENSOR_PANE_H
#define SM_TENSOR_PANE_H

#include "commands/pictures/downsample.h"
#include "tui/panes/pane.h"
#include "tui/tensor_pane/cells.h"
#include "tui/tensor_pane/step_window.h"
#include "tui/terminal/fold.h"

struct sm_tensor_pane_view;
/* The state of the pane between frames. */
struct sm_tensor_pane {
    size_t view;  /* index of the view */
    bool chosen;  /* by the user; else pixels are shown as an image */
    bool picture; /* the value drawn last was shown so */
    uint32_t of;  /* with of_trial: the tensor that slice and cursor belong to */
    const struct sm_trial *of_trial;
    struct sm_slice slice;
    bool sliced;     /* slice.n > 0 */
    bool log_counts; /* of histograms */
    struct sm_cells cells;
    struct sm_step_window window;         /* the steps of the view over time */
    struct sm_line_place place;           /* of its chart, for the mouse */
    struct sm_place before;               /* the current place before a click in it */
    size_t drawn;                         /* the drawing of that view: a picture or a statistic */
    enum sm_heat_map map;                 /* colours of images and heat maps */
    uint64_t image, images_shown;         /* index of the first image, and number of images shown */
    struct sm_works works;                /* computes the picture of the images */
    struct sm_downsample_spec image_spec; /* the images that the picture shows */
    uint64_t images_made;                 /* number of computed pictures */
    struct sm_fold texts;                 /* lines of the text that was drawn last */
    size_t text_top, text_page;           /* the first line shown; lines that have room */
    bool is_text;                         /* the value drawn last was drawn as text */
    bool is_curve;                        /* it was drawn as a curve of precision and recall */
    bool unfinished;                      /* there is more to compute: draw again soon */
    struct sm_tensor_axes axes;           /* of the value drawn last; n is 0 before that */
    /* The payload on the screen: referenced while it is shown, so that the cache cannot drop it. */
    struct sm_tensor *tensor;
    struct sm_trial *trial; /* trial and record of the payload */
    uint32_t part;
    uint64_t offset, value;
    struct sm_slice read; /* what was read of it; n is 0: all */
    struct sm_slice sample;
};

/* The value of one frame: the newest at or before the current step. */
struct sm_tensor_pane_frame {
    const struct sm_view *v;
    struct sm_trial *trial;
    const struct sm_trial_tensor *x;
    struct sm_entry e;
    const struct sm_facts *facts; /* of the complete tensor */
    const struct sm_slice *slice; /* NULL for the complete tensor */
    /* The value is larger than memory-limit: the payload is only the slice; and that is a sample.
     */
    bool part, sample;
    bool focused;
};

/* One view of the value. */
struct sm_tensor_pane_view {
    const char *name; /* "values": used in the title and in commands */
    void (*draw)(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                 struct sm_grid *g, struct sm_rect r);
    /* returns false if the view does not handle the action; NULL: no actions */
    bool (*act)(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a);
    bool cells; /* the title shows the plane of the cursor */
};
extern const struct sm_tensor_pane_view sm_tensor_pane_statistics, sm_tensor_pane_values,
    sm_tensor_pane_histogram, sm_tensor_pane_time, sm_tensor_pane_image;

/* The payload (of a part: the slice), requested if needed. NULL with the reason in *err if it has
 * not arrived or cannot be read. */
const struct sm_tensor *sm_tensor_pane_tensor(struct sm_tensor_pane *s,
                                              const struct sm_tensor_pane_frame *frame,
                                              struct sm_err *err);
/* The shape of the payload, and the slice to apply to it, or NULL. */
const struct sm_slice *sm_tensor_pane_payload(const struct sm_tensor_pane_frame *frame,
                                              unsigned *n_dims, uint64_t *dims);
/* Draws the name of the tensor, and step and worker of the value, if there is one; the current
 * step, too, if it is another one and fits. */
void sm_tensor_pane_draw_heading(const struct sm_view *v, const struct sm_trial_tensor *x,
                                 const struct sm_part *p, struct sm_grid *g, struct sm_rect r);
/* Draws what is wrong with the values of other workers at the step. Returns the lines used. */
int sm_tensor_pane_draw_others(const struct sm_tensor_pane_frame *frame, struct sm_grid *g,
                               struct sm_rect r);
/* Draws the reductions that the hook saved in place of the value. */
void sm_tensor_pane_draw_saved(const struct sm_view *v, const struct sm_trial_tensor *x,
                               struct sm_grid *g, struct sm_rect r);
/* What sm_pane_ops has for the mouse: goes to the step under it; selects the steps of a drag. */
void sm_tensor_pane_click(struct sm_pane *p, struct sm_view *v, int x, int y);
void sm_tensor_pane_drag(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x,
                         bool done);
/* Draws what is known of a histogram of the shape (n, 3) that was saved as such: how many values,
 * by its bins their mean and deviation, and where they lie. Returns the next line. */
int sm_tensor_pane_draw_bins(const struct sm_tensor *t, struct sm_grid *g, struct sm_rect r);
/* Drops the picture, because its value or images are no longer shown. */
void sm_tensor_pane_drop_image(struct sm_tensor_pane *s);
/* Draws wrapped text. */
void sm_tensor_pane_text(struct sm_grid *g, struct sm_rect r, enum sm_role role, const char *text);
/* Draws a value of strings as text, and the actions that scroll it. */
void sm_tensor_pane_draw_text(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                              struct sm_grid *g, struct sm_rect r);
bool sm_tensor_pane_act_on_text(struct sm_tensor_pane *s, enum sm_key_action a);
/* Draws a curve of precision and recall, if the value is one; *err: it is being read. */
bool sm_tensor_pane_draw_curve(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                               struct sm_grid *g, struct sm_rect r, struct sm_err *err);
/* Draws the value over the steps, in a rectangle of any size. */
void sm_tensor_pane_draw_time(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                              struct sm_grid *g, struct sm_rect r);
/* Selects the drawing over the steps: "heat", "mean" ... */
bool sm_tensor_pane_set_drawn(struct sm_tensor_pane *s, const char *name, struct sm_err *err);
/* Draws dim text: "..." while waiting, or the error. */
void sm_tensor_pane_error(const struct sm_tensor_pane_frame *frame, const struct sm_err *err,
                          struct sm_grid *g, struct sm_rect r);
/* With a baseline, draws the differences of its statistics; returns the next y. */
int sm_tensor_pane_differences(const struct sm_tensor_pane_frame *frame, struct sm_grid *g,
                               struct sm_rect r, int y);
/* Draws one line of text; returns the next y. */
int sm_tensor_pane_line(struct sm_grid *g, struct sm_rect r, int y, enum sm_role role,
                        const char *text);

#endif
