/* What a picture is of: one value, the shape of its slice, and the room there is. */
#ifndef SM_PICTURE_SUBJECT_H
#define SM_PICTURE_SUBJECT_H

#include "commands/place/place.h"
#include "commands/values/downsample.h"

struct sm_subject {
    struct sm_place place;
    const struct sm_entry *entry;
    struct sm_tensor *tensor; /* whole, counted: the caller unrefs it */
    unsigned n_dims;          /* of the slice; it has elements, and they are numbers */
    uint64_t dims[SM_DIMS_MAX];
    struct sm_print_options print;
    int w, h; /* cells: -w and -h, else the terminal's width and 18 */
};
bool sm_subject_read(struct sm_call *c, struct sm_subject *s, struct sm_err *err);
/* w, h as without options */
bool sm_subject_of(struct sm_call *c, const struct sm_place *p, struct sm_subject *s,
                   struct sm_err *err);
/* The whole tensor that a keyword names, at the step of s; the caller unrefs it, too. */
bool sm_subject_beside(struct sm_call *c, const struct sm_subject *s, const char *keyword,
                       struct sm_subject *out, struct sm_err *err);
/* As one plane of rows and columns: it has one or two dimensions besides those of size 1, or this
 * is false. */
bool sm_subject_matrix(const struct sm_subject *s, struct sm_downsample_spec *spec,
                       struct sm_err *err);
/* An option with a number from 1 to `most`; *v stays where it is not given. */
bool sm_subject_size(struct sm_call *c, const char *name, int64_t most, int *v, struct sm_err *err);
/* The line of its place, type and shape (sm_place_heading). */
void sm_subject_heading(struct sm_result *out, const struct sm_subject *s);
/* The root for machines, with name, place, type and shape. */
struct sm_node *sm_subject_node(struct sm_result *out, const struct sm_subject *s);
/* Always false. */
bool sm_subject_wrong_shape(const struct sm_subject *s, const char *want, struct sm_err *err);

#endif
