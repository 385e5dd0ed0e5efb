#include "commands/stored_findings.h"

#include "commands/json_tree.h"
#include "reader/archive.h"

/* The keys that a table shows, as sm_describe_instance writes them. */
static bool is_row(const struct sm_node *row)
{
    static const struct {
        const char *key;
        enum sm_node_type type;
        bool or_null;
    } keys[] = {
        {"instance", SM_NODE_TEXT, false}, {"status", SM_NODE_TEXT, false},   {"first_step", SM_NODE_INT, true},
        {"last_step", SM_NODE_INT, true},  {"triggered", SM_NODE_INT, false}, {"tensor", SM_NODE_TEXT, true},
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

size_t sm_stored_findings(struct sm_result *r, struct sm_node *list, const struct sm_trial *t, const char *instance)
{
    const struct sm_archive_info *a = sm_trial_archive(t);
    struct sm_node *root = NULL;
    struct sm_err err;
    size_t n = 0;
    bool ok = a && a->findings.n && sm_json_tree(r, a->findings.p, a->findings.n, &root, &err) && root->type == SM_NODE_LIST;
    for (const struct sm_node *row = ok ? root->first : NULL; row; row = row->next) {
        if (!is_row(row) || (instance && !sm_text_is(sm_node_get(row, "instance")->text, instance)))
            continue;
        add_row(r, list, row);
        n++;
    }
    return n;
}
