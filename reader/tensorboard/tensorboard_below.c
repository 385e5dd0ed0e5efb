/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of hyperparameters in the folder of a run that is read. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/tensorboard/tensorboard.h"

#include <string.h>

bool sm_board_add_folder(struct sm_board *b, const char *name)
{
    uint32_t n = sm_names_count(b->below), id = sm_names_add(b->below, name, strlen(name));
    if (id < n)
        return true;
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(b->folders, id, b->cap_folders))
        return false;
    b->folders[id] = (struct sm_board_folder){.content = SM_BOARD_UNDECIDED};
    return true;
}

/* Whether something was put into the folder just now. */
static bool is_fresh(const struct sm_board *b, const char *dir)
{
    struct sm_stat st;
    struct sm_err err;
    return b->in->options.follow && sm_source_stat(b->in->source, dir, &st, &err) &&
           sm_clock_wall_us() - st.mtime_us < SM_BOARD_WRITTEN_US;
}

bool sm_board_has_sessions(struct sm_board *b, struct sm_tail_changes *n)
{
    const struct sm_board_folder *first = NULL;
    bool differ = false;
    for (uint32_t i = 0; i < sm_names_count(b->below); i++) {
        struct sm_board_folder *f = &b->folders[i];
        const char *dir = sm_names_text(b->below, i);
        if (f->content == SM_BOARD_UNDECIDED)
            f->content = sm_board_look_at(b->in->source, dir, &f->config);
        if (f->content == SM_BOARD_UNDECIDED && !is_fresh(b, dir))
            f->content = SM_BOARD_OTHER;
        n->late = n->late || f->content == SM_BOARD_UNDECIDED;
        if (f->content != SM_BOARD_SESSION)
            continue;
        first = first ? first : f;
        differ = differ || f->config != first->config;
    }
    return first && !differ && sm_board_has_events(b->in->source, "");
}
