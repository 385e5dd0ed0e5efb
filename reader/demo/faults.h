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
    int64_t steps, eval_every; /* of training; evaluates early, and after each so many */
    const char *save_steps;    /* "1,2,3": of training, saved besides every tenth; or NULL */
    int64_t stall_at;          /* > 0: writes nothing from this step on, and never ends */
    size_t frozen;             /* > 0: the layer of this number, from 1, is never updated */
    unsigned images;           /* > 0: trains on so many, again and again; 0: each image is new */
    float train_noise, eval_noise; /* standard deviation of each pixel's noise */
    /* labels say nothing; classes are of unequal frequency; pixels 0 to 255 */
    bool random_labels, rare, raw_pixels;
    void (*spoil)(struct sm_net *net); /* after initialisation, or NULL */
};
extern const struct sm_demo sm_demo_table[]; /* ends with name NULL; the first is the healthy one */
/* By name, or NULL. Case, '_' and '-' do not matter. */
const struct sm_demo *sm_demo_find(const char *name);

#endif
