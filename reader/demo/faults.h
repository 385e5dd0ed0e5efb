/* SPDX-License-Identifier: Apache-2.0 */
/* The trainings of --demo: a healthy one, and one for each fault to study. */
#ifndef SM_FAULTS_H
#define SM_FAULTS_H

#include "reader/demo/net.h"

#include <stdbool.h>
#include <stdint.h>

struct sm_demo {
    const char *name, *summary; /* one line */
    const char *rule;           /* class name of the rule that finds it, or NULL */
    const char *model;          /* "CNN": its input is saved as CNN_input_0 */
    const struct sm_layer_spec *layers;
    size_t n_layers;
    enum sm_optimizer optimizer;
    float rate;
    int64_t steps, eval_every; /* of training; evaluates early, then every eval_every steps */
    const char *save_steps; /* "1,2,3": training steps saved in addition to every tenth; or NULL */
    int64_t stall_at;       /* > 0: stops writing at this step and never ends */
    size_t frozen;          /* > 0: the layer of this number, from 1, is never updated */
    unsigned images;        /* > 0: trains on this many images repeatedly; 0: each image is new */
    float train_noise, eval_noise; /* standard deviation of each pixel's noise */
    /* Labels are random; classes have unequal frequency; pixels are 0 to 255. */
    bool random_labels, rare, raw_pixels;
    void (*tamper)(struct sm_net *net); /* changes parameters after initialisation, or NULL */
};
extern const struct sm_demo sm_demo_table[]; /* ends with name NULL; the first is the healthy one */
/* By name, ignoring case, '_' and '-'; NULL if unknown. */
const struct sm_demo *sm_demo_find(const char *name);

#endif
