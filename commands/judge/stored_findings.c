/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/stored_findings.h"

#include "commands/answer/json_tree.h"
#include "reader/archive/archive.h"

/* Whether the row has the keys that tables show, with the types of sm_describe_instance. */
static bool is_row(const struct sm_node *row)
{
    static const struct {
        const char *key;
        enum sm_node_type type;
        bool or_null;
    } keys[] = {
        {"instance", SM_NODE_TEXT, false}, {"status", SM_NODE_TEXT, false},
        {"first_step", SM_NODE_INT, true}, {"last_step", SM_NODE_INT, true},
        {"triggered", SM_NODE_INT, false}, {"tensor", SM_NODE_TEXT, true},
        {"what", SM_NODE_TEXT, true},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct sm_node *n = row->type == SM_NODE_MAP ? sm_node_get(row, keys[i].key) : NULL;
        if (!n || (n->type != keys[i].type && !(keys[i].or_null && n->type == SM_NODE_NULL)))
            return false;
    }
    return true;
}

static void add_row(struct sm_result *r, struct sm_node *list, const struct sm_node *row)
{
    struct sm_node *copy = sm_node_map(r, list, NULL);
    copy->first = row->first;
    copy->last = row->last;
    sm_node_text(r, copy, "from", "archive");
}

/* The first item of the stored list, or NULL. Items may be invalid rows. */
static const struct sm_node *first_item(struct sm_result *r, const struct sm_trial *t)
{
    const struct sm_archive_info *a = sm_trial_archive(t);
    struct sm_node *root = NULL;
    struct sm_err err;
    bool ok = a && a->findings.n && sm_json_tree(r, a->findings.p, a->findings.n, &root, &err) &&
              root->type == SM_NODE_LIST;
    return ok ? root->first : NULL;
}

size_t sm_stored_findings(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
                          const char *instance)
{
    size_t n = 0;
    for (const struct sm_node *row = first_item(r, t); row; row = row->next) {
        if (!is_row(row) || (instance && !sm_text_is(sm_node_get(row, "instance")->text, instance)))
            continue;
        add_row(r, list, row);
        n++;
    }
    return n;
}

bool sm_stored_fired(const struct sm_node *row)
{
    return sm_node_get(row, "triggered")->i > 0 &&
           sm_node_get(row, "first_step")->type == SM_NODE_INT;
}

const struct sm_node *sm_stored_first(struct sm_result *r, const struct sm_trial *t,
                                      const char *rule)
{
    struct sm_node *list = sm_node_list(r, NULL, NULL);
    const struct sm_node *first = NULL;
    sm_stored_findings(r, list, t, NULL);
    for (const struct sm_node *row = list->first; row; row = row->next) {
        const struct sm_node *class_name = sm_node_get(row, "rule");
        bool is_it =
            !rule || sm_text_is(sm_node_get(row, "instance")->text, rule) ||
            (class_name && class_name->type == SM_NODE_TEXT && sm_text_is(class_name->text, rule));
        if (is_it && sm_stored_fired(row) &&
            (!first || sm_node_get(row, "first_step")->i < sm_node_get(first, "first_step")->i))
            first = row;
    }
    return first;
}

static bool is_between(const struct sm_node *detail, int64_t first, int64_t last)
{
    const struct sm_node *step = detail->type == SM_NODE_MAP ? sm_node_get(detail, "step") : NULL;
    const struct sm_node *fired = step ? sm_node_get(detail, "fired") : NULL,
                         *text = step ? sm_node_get(detail, "text") : NULL;
    return step && step->type == SM_NODE_INT && step->i >= first && step->i <= last && fired &&
           fired->type == SM_NODE_BOOL && fired->b && text && text->type == SM_NODE_TEXT;
}

void sm_stored_details(struct sm_result *r, struct sm_node *list, const struct sm_node *row,
                       int64_t first, int64_t last)
{
    const struct sm_node *details = sm_node_get(row, "details"),
                         *name = sm_node_get(row, "instance");
    for (const struct sm_node *d = details && details->type == SM_NODE_LIST ? details->first : NULL;
         d; d = d->next) {
        if (!is_between(d, first, last))
            continue;
        struct sm_node *copy = sm_node_map(r, list, NULL);
        copy->first = d->first;
        copy->last = d->last;
        sm_node_textn(r, copy, "rule", name->text.p, name->text.n);
        sm_node_text(r, copy, "from", "archive");
    }
}

size_t sm_stored_count(const struct sm_trial *t)
{
    struct sm_result scratch;
    sm_result_init(&scratch);
    size_t n = sm_stored_findings(&scratch, sm_node_list(&scratch, NULL, NULL), t, NULL);
    sm_result_clear(&scratch);
    return n;
}
