/* SPDX-License-Identifier: Apache-2.0 */
/* info session: what this run of the program has asked of buckets, and what that costs. */
#include "commands/answer/shape.h"
#include "commands/session/session_settings.h"
#include "commands/trials/trials.h"
#include "reader/s3/source_s3.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column session_columns[] = {
    {.key = "requests", .header = "requests", .format = SM_COL_PLAIN},
    {.key = "lists", .header = "lists among them", .format = SM_COL_PLAIN},
    {.key = "bytes", .header = "fetched", .format = SM_COL_BYTES},
    {.key = "kept_bytes", .header = "read from the disk instead", .format = SM_COL_BYTES},
    {.key = "logins", .header = "requests for credentials", .format = SM_COL_PLAIN},
    {.key = "followed", .header = "runs followed", .format = SM_COL_PLAIN},
    {.key = "follow_rate", .header = "lists/s to follow, at most", .format = SM_COL_NUMBER},
    {.key = "news_s", .header = "news of active runs, s", .format = SM_COL_NUMBER},
    {.key = "quiet_s", .header = "news of other runs, s", .format = SM_COL_NUMBER},
    {.key = "cost", .header = "cost", .format = SM_COL_NUMBER},
};

/* In the currency of the prices. */
static double cost_of(const struct sm_s3_counts *n, const struct sm_session_settings *price)
{
    return (double)n->lists / 1e3 * price->s3_price_lists +
           (double)(n->requests - n->lists) / 1e3 * price->s3_price_gets +
           (double)n->bytes / 1e9 * price->s3_price_gb;
}

/* The bounds of following: of each bucket. */
static void add_followed(struct sm_call *c, struct sm_node *map, struct sm_result *out)
{
    struct sm_s3_followed f = sm_s3_followed();
    sm_node_uint(out, map, "followed", f.runs);
    sm_node_double(out, map, "follow_rate", sm_session_settings(c->session)->s3_follow_rate, false);
    if (f.news_us)
        sm_node_double(out, map, "news_s", (double)f.news_us / 1e6, false);
    if (f.quiet_us)
        sm_node_double(out, map, "quiet_s", (double)f.quiet_us / 1e6, false);
}

static bool run_info_session(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_s3_counts n = sm_s3_counts();
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_uint(out, map, "requests", n.requests);
    sm_node_uint(out, map, "lists", n.lists);
    sm_node_uint(out, map, "bytes", n.bytes);
    sm_node_uint(out, map, "kept_bytes", n.kept_bytes);
    sm_node_uint(out, map, "logins", n.logins);
    add_followed(c, map, out);
    sm_node_double(out, map, "cost", cost_of(&n, sm_session_settings(c->session)), false);
    out->root = map;
    out->columns = session_columns;
    out->n_columns = COUNT(session_columns);
    sm_result_fields(out, map, session_columns, COUNT(session_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_session = {
    .parent = "info",
    .name = "session",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show what was asked of buckets since the start, and its cost",
    .help = "Counts the requests to buckets (s3://) of this run of the program, those that were\n"
            "made again after an error too, and the bytes of their answers. Runs that are\n"
            "followed share the lists a second that s3-follow-rate allows. News of a run are seen\n"
            "after so many seconds at most: of a run that had some within the last minute, and\n"
            "of others. The cost is by the settings s3-price-lists, s3-price-gets (per 1,000)\n"
            "and s3-price-gb (per 10^9 bytes). Initially they are Amazon's list prices in USD for "
            "S3 Standard in\n"
            "us-east-1, read in the same region, where bytes cost nothing; other regions,\n"
            "classes and servers have others.",
    .example = "info session",
    .see_also = "info sessions, set",
    .flags = SM_CMD_LISTING,
    .answer =
        "{requests:int,lists:int,bytes:int,kept_bytes:int,logins:int,followed:int,follow_rate:num,"
        "news_s?:num,quiet_s?:num,cost:num}",
    .run = run_info_session,
};
