/* SPDX-License-Identifier: Apache-2.0 */
/* Where services are: another server than AWS, as the variables or the profile have it. */
#include "reader/s3/login_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Of the section "services NAME" that the profile names: the setting endpoint_url of a service. */
static const char *of_services(const struct sm_aws_files *f, const char *profile,
                               const char *setting)
{
    const char *services = sm_aws_profile_get(f, profile, "services");
    struct sm_str section = {0};
    sm_str_printf(&section, "services %s", services ? services : "");
    const char *value = services ? sm_aws_files_get(f, sm_str_text(&section), setting) : NULL;
    sm_str_clear(&section);
    return value;
}

static const char *find_endpoint(const struct sm_aws_files *f, const char *profile,
                                 const char *service)
{
    const char *ignored = sm_login_env("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
    struct sm_str variable = {0}, setting = {0};
    sm_str_printf(&variable, "AWS_ENDPOINT_URL_%s", service);
    for (const char *p = service; *p; p++)
        sm_str_addc(&setting, (char)tolower((unsigned char)*p));
    sm_str_add(&setting, ".endpoint_url");
    const char *url = NULL;
    if (!ignored || strcasecmp(ignored, "true") != 0) {
        url = sm_login_env(sm_str_text(&variable));
        url = url ? url : sm_login_env("AWS_ENDPOINT_URL");
        url = url ? url : of_services(f, profile, sm_str_text(&setting));
        url = url ? url : sm_aws_profile_get(f, profile, sm_str_text(&setting));
        url = url ? url : sm_aws_profile_get(f, profile, "endpoint_url");
    }
    sm_str_clear(&variable);
    sm_str_clear(&setting);
    return url;
}

bool sm_login_endpoint(const struct sm_aws_files *f, const char *profile, const char *service,
                       struct sm_str *out)
{
    const char *url = find_endpoint(f, profile, service);
    if (!url || !*url)
        return false;
    if (!strstr(url, "://"))
        sm_str_add(out, "https://");
    sm_str_add(out, url);
    while (sm_str_text(out)[out->len - 1] == '/')
        sm_str_truncate(out, out->len - 1);
    return true;
}

const char *sm_login_domain(const char *region)
{
    return strncmp(region, "cn-", 3) == 0 ? "amazonaws.com.cn" : "amazonaws.com";
}
