/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are tables of metrics: CSV and its relatives (csv), lines of JSON (jsonl), and the
 * history that Hugging Face's Trainer writes (trainer_state). doc/formats.md says what is read.
 *
 * The room reader/tables has for each of them a reader (NAME_read.c: a struct sm_log_format) and a
 * kind (NAME_kind.c: what of a folder is such a run). They share what names of columns mean
 * (column_name.h), the settings of a run in files beside its table (table_settings.h), and a small
 * reader of YAML for these (yaml.h). */
#ifndef SM_TABLES_H
#define SM_TABLES_H

#include "reader/logs/log_kind.h"

extern const struct sm_log_format sm_csv_format, sm_jsonl_format, sm_trainer_format;

#endif
