/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/bucket_region.h"

#include <pthread.h>
#include <string.h>

enum { PLACES = 64, NAME_MAX_BYTES = 255, REGION_MAX_BYTES = 31 };

static struct place {
    char bucket[NAME_MAX_BYTES + 1], region[REGION_MAX_BYTES + 1];
} places[PLACES];
static unsigned turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards places and turn */

/* "eu-west-1", "us-gov-east-1": small letters, two '-' at least, and a number at the end. */
static bool is_region(struct sm_text t)
{
    size_t dashes = 0;
    for (size_t i = 0; i < t.n; i++) {
        bool letter = t.p[i] >= 'a' && t.p[i] <= 'z', digit = t.p[i] >= '0' && t.p[i] <= '9';
        dashes += t.p[i] == '-';
        if (!letter && !digit && t.p[i] != '-')
            return false;
    }
    return t.n && t.n <= REGION_MAX_BYTES && dashes >= 2 && t.p[t.n - 1] >= '0' &&
           t.p[t.n - 1] <= '9';
}

/* With the lock. NULL: there is none. */
static struct place *place_of(struct sm_text bucket)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (*places[i].region && sm_text_is(bucket, places[i].bucket))
            return &places[i];
    return NULL;
}

static void copy(char *to, struct sm_text from)
{
    memcpy(to, from.p, from.n);
    to[from.n] = '\0';
}

void sm_bucket_region_note(struct sm_text bucket, struct sm_text region)
{
    if (!bucket.n || bucket.n > NAME_MAX_BYTES || !is_region(region))
        return;
    pthread_mutex_lock(&lock);
    struct place *p = place_of(bucket);
    p = p ? p : &places[turn++ % PLACES];
    copy(p->bucket, bucket);
    copy(p->region, region);
    pthread_mutex_unlock(&lock);
}

bool sm_bucket_region_find(const char *bucket, struct sm_str *out)
{
    pthread_mutex_lock(&lock);
    const struct place *p = place_of((struct sm_text){bucket, strlen(bucket)});
    if (p)
        sm_str_add(out, p->region);
    pthread_mutex_unlock(&lock);
    return p;
}
