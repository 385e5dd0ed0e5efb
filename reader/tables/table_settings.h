/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a run that are written beside its table: hparams.yaml (Lightning), args.yaml
 * (Ultralytics, timm), .hydra/config.yaml and the like become its configuration. */
#ifndef SM_TABLE_SETTINGS_H
#define SM_TABLE_SETTINGS_H

#include "reader/logs/log_sink.h"
#include "reader/source/source.h"

/* Zero-initialised nothing was read. */
struct sm_table_settings {
    struct sm_table_settings_file {
        uint64_t size_bytes, inode;
        int64_t mtime_us;
    } seen[13];
};
/* Hands on what has changed in these files of the folder ("" or with a '/' at its end). What cannot
 * be read is reported as a problem; missing files are none. True:
 * something was handed on. */
bool sm_table_settings_read(struct sm_table_settings *s, struct sm_source *source,
                            const char *folder, struct sm_log_sink *sink);
/* Hands on the values of a JSON object as configuration, nested names joined by '.'. */
bool sm_settings_from_json(const char *p, size_t n, struct sm_log_sink *sink, struct sm_err *err);

#endif
