/* SPDX-License-Identifier: Apache-2.0 */
/* The files ~/.aws/config and ~/.aws/credentials: sections of names and values.
 *
 * Definition: AWS CLI user guide, "Configuration and credential file settings". A section of the
 * credentials file has the profile's bare name; in the configuration it is "profile NAME", except
 * "default". Indented lines below an empty value ("s3 =") are its own settings: "s3.NAME". */
#ifndef SM_AWS_FILES_H
#define SM_AWS_FILES_H

#include "reader/base/err.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"

struct sm_aws_setting {
    const char *section, *name, *value; /* in the arena */
};
struct sm_aws_files {
    struct sm_aws_setting *items;
    size_t n, cap;
    struct sm_arena arena;
};

enum sm_aws_file { SM_AWS_CREDENTIALS, SM_AWS_CONFIG };

/* Appends the path of one of them, whether or not it exists; nothing without a HOME. */
void sm_aws_files_path(enum sm_aws_file which, struct sm_str *out);
/* Adds the settings of a file: $AWS_CONFIG_FILE or ~/.aws/config, and
 * $AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials. Files that do not exist are no error; f is
 * zeroed before. */
bool sm_aws_files_read(struct sm_aws_files *f, struct sm_err *err);
/* Adds those of a text; for tests, too. */
bool sm_aws_files_parse(struct sm_aws_files *f, const char *text, size_t n);
void sm_aws_files_clear(struct sm_aws_files *f);
/* Of a section as it is written; NULL if there is none. The first one that was added counts. */
const char *sm_aws_files_get(const struct sm_aws_files *f, const char *section, const char *name);
/* Of a profile, in the credentials or in the configuration. */
const char *sm_aws_profile_get(const struct sm_aws_files *f, const char *profile, const char *name);
/* Whether there is any setting of it. */
bool sm_aws_profile_exists(const struct sm_aws_files *f, const char *profile);

#endif
