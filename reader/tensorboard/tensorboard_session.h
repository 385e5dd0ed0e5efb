/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of hyperparameters: what add_hparams of PyTorch and tensorboardX writes into a folder
 * below that of its run, which is called by the time or by `run_name`. What the files hold says
 * whether a folder is one, not its name: an experiment of the plugin "hparams", the start of a
 * session, and of scalars only the experiment's metrics. */
#ifndef SM_TENSORBOARD_SESSION_H
#define SM_TENSORBOARD_SESSION_H

#include "reader/source/source.h"

enum sm_board_content {
    SM_BOARD_UNDECIDED, /* nothing, or the beginning of a session or of any run */
    SM_BOARD_SESSION,
    SM_BOARD_OTHER
};
/* Reads the event files of a folder of the source; larger files than a session's are not read.
 * *config: of a session, the checksum of its hyperparameters, whatever
 * their order. OTHER also if the folder or a file cannot be read. */
enum sm_board_content sm_board_look_at(struct sm_source *source, const char *dir, uint32_t *config);

/* A file of TensorBoard that has no event begins with the version, and may say who wrote it. */
enum { SM_BOARD_BARE_BYTES = 96 };
/* Whether event files of the folder itself have events, as far as their sizes say. */
bool sm_board_has_events(struct sm_source *source, const char *dir);

#endif
