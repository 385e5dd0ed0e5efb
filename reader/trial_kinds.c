/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trial_kinds.h"

#include "reader/archive/archive.h"
#include "reader/s3/address.h"
#include "reader/s3/source_s3.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SM_TRIAL_KIND_ROW(name) &sm_trial_kind_##name,
static const struct sm_trial_kind *const kinds[] = {SM_TRIAL_KINDS(SM_TRIAL_KIND_ROW)};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct sm_trial_kind *sm_trial_kind_of(struct sm_source *source)
{
    size_t i = 0;
    while (i + 1 < KINDS && !(kinds[i]->detect && kinds[i]->detect(source)))
        i++;
    return kinds[i];
}

size_t sm_trial_kind_count(void)
{
    return KINDS;
}

const struct sm_trial_kind *sm_trial_kind_at(size_t i)
{
    return kinds[i];
}

void sm_trial_kind_labels(struct sm_str *out)
{
    const char *before = "";
    for (size_t i = 0; i < KINDS; i++) {
        const struct sm_trial_traits *traits = kinds[i]->traits;
        if (!traits || strcmp(traits->label, before) == 0) /* a log and a pipe with one */
            continue;
        sm_str_printf(out, "%s%s", out->len ? ", " : "", traits->label);
        before = traits->label;
    }
}

const struct sm_trial_traits *sm_trial_default_traits(void)
{
    return kinds[KINDS - 1]->traits;
}

const struct sm_trial_kind *sm_trial_kind_of_path(const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    bool is_dir = sm_path_is_folder(path);
    for (size_t i = 0; !is_dir && i < KINDS; i++)
        if (kinds[i]->owns_path && kinds[i]->owns_path(path, exists ? &st : NULL))
            return kinds[i];
    return kinds[KINDS - 1];
}

/* What the file that nobody knows begins with. */
static void describe_file(const char *path, struct sm_str *out)
{
    char head[24];
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    size_t n = got > 0 ? (size_t)got : 0, line = 0;
    while (line < n && head[line] != '\n' && head[line] != '\r')
        line++;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        sm_str_add(out, "it is no regular file");
    else if (got == 0)
        sm_str_add(out, "it is empty");
    else if (n && (head[0] == '{' || head[0] == '['))
        sm_str_add(out, "JSON, but no rows with steps");
    else if (n)
        sm_str_printf(out, "it begins with \"%.*s\"", (int)line, head);
}

/* No kind knows it: says what it has, and what opens. */
static void explain_unknown(const char *path, struct sm_err *err)
{
    struct sm_str seen = {0}, labels = {0};
    describe_file(path, &seen);
    sm_trial_kind_labels(&labels);
    sm_err_set(err, SM_ERR_DATA, "%s: " SM_NO_ARCHIVE " (%s).  Kinds that open: %s.", path,
               sm_str_text(&seen), sm_str_text(&labels));
    sm_str_clear(&seen);
    sm_str_clear(&labels);
}

static struct sm_source *open_path(const char *path, struct sm_err *err)
{
    const struct sm_trial_kind *kind = sm_trial_kind_of_path(path);
    if (!kind->owns_path)
        return sm_source_files_new(path, err);
    struct sm_source *source = kind->open_path(path, err);
    if (!source && kind == &sm_trial_kind_archive && err->code == SM_ERR_DATA &&
        strstr(err->msg, SM_NO_ARCHIVE))
        explain_unknown(path, err);
    return source;
}

struct sm_source *sm_source_of_path(const char *path, struct sm_err *err)
{
    struct sm_str place = {0};
    struct sm_source *source =
        sm_s3_address(path, &place, err) ? open_path(sm_str_text(&place), err) : NULL;
    sm_str_clear(&place);
    return source;
}
