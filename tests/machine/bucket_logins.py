# SPDX-License-Identifier: Apache-2.0
"""Where the credentials for a bucket come from: each source that AWS's SDKs have, against a server that hands them out."""
import json
import os

from s3_server import ACCESS, SECRET, BucketTest, iso

NO_KEYS = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
ROLE = "arn:aws:iam::123456789012:role/reader"


class LoginTest(BucketTest):
    def hand_out(self, access="ASIATEMPORARY", expires_s=3600):
        """Makes credentials that the bucket takes, and not the user's; as (access, secret, token, expiration)."""
        self.server.keys.pop(ACCESS, None)
        self.server.keys[access] = ("of/" + access, "token+of/" + access)
        return access, "of/" + access, "token+of/" + access, iso(expires_s)

    def as_json(self, *given):
        access, secret, token, expiration = given or self.hand_out()
        return json.dumps({"Code": "Success", "AccessKeyId": access, "SecretAccessKey": secret, "Token": token, "Expiration": expiration})

    def sts(self, keys, *wanted):
        """Adds STS, which takes roles' requests signed with these keys (None: not signed), with these parameters."""
        seen = []

        def service(handler, path, query):
            seen.append({k: v[0] for k, v in query.items()})
            wrong = handler.signed_wrongly(path, "", "sts", keys) if keys else None
            if wrong:
                return wrong[0], f"<ErrorResponse><Error><Code>{wrong[1]}</Code></Error></ErrorResponse>"
            for name, value in wanted:
                if query.get(name) != [value]:
                    return 403, f"<ErrorResponse><Error><Code>AccessDenied</Code><Message>{name}</Message></Error></ErrorResponse>"
            access, secret, token, expiration = self.hand_out(f"ASIA{len(seen)}")
            if keys:
                keys[access] = (secret, token)
            action = query["Action"][0]
            return 200, (f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result><Credentials><AccessKeyId>{access}'
                         f"</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey><SessionToken>{token}</SessionToken><Expiration>{expiration}"
                         f"</Expiration></Credentials></{action}Result></{action}Response>")

        self.server.services["/sts"] = service
        return seen

    def config(self, text):
        self.write(".aws/config", text)


class Keys(LoginTest):
    def test_a_session_token_of_the_environment(self):
        access, secret, token, _ = self.hand_out()
        self.assert_same(AWS_ACCESS_KEY_ID=access, AWS_SECRET_ACCESS_KEY=secret, AWS_SESSION_TOKEN=token)
        self.assert_refused("InvalidToken", AWS_ACCESS_KEY_ID=access, AWS_SECRET_ACCESS_KEY=secret)

    def test_half_a_key_is_said(self):
        self.assert_refused("only the first is set", AWS_SECRET_ACCESS_KEY="")

    def test_keys_of_a_profile(self):
        self.write(".aws/credentials", f"[other]\naws_access_key_id = X\n\n[mine] # a comment\naws_access_key_id = {ACCESS}\naws_secret_access_key = {SECRET}\n")
        self.assert_same(**NO_KEYS, AWS_PROFILE="mine")
        home = self.home.name
        self.assert_refused(f"there is no profile nobody in {home}/.aws/config or {home}/.aws/credentials", **NO_KEYS, AWS_PROFILE="nobody")
        self.assert_refused("there is no profile nobody in /nonexist or /none", **NO_KEYS, AWS_PROFILE="nobody", AWS_CONFIG_FILE="/nonexist",
                            AWS_SHARED_CREDENTIALS_FILE="/none")

    def test_files_at_other_places(self):
        credentials = self.write("a", f"[default]\naws_access_key_id={ACCESS}\naws_secret_access_key={SECRET}\n")
        config = self.write("b", f"[profile x]\nregion = us-east-1\n[default]\nregion=eu-west-3\nendpoint_url = {self.url}\n")
        self.server.region = "eu-west-3"
        self.assert_same(**NO_KEYS, AWS_SHARED_CREDENTIALS_FILE=credentials, AWS_CONFIG_FILE=config, AWS_ENDPOINT_URL_S3="")
        self.assertTrue(all("/eu-west-3/" in asked[3]["authorization"] for asked in self.server.asked))

    def test_a_profile_s_section_of_services(self):
        self.config(f"[default]\nservices = here\n[services here]\nsts =\n  endpoint_url = http://127.0.0.1:9\ns3 =\n  endpoint_url = {self.url}\n")
        self.assert_same(AWS_ENDPOINT_URL_S3="")

    def test_keys_are_not_sent_if_that_is_asked_for(self):
        self.server.public = True
        self.assert_same(SMDBG_S3_UNSIGNED="1", AWS_SECRET_ACCESS_KEY="wrong")
        self.assertTrue(all("authorization" not in asked[3] for asked in self.server.asked))

    def test_a_process_is_not_run_and_that_is_said(self):
        self.config(f"[default]\ncredential_process = /bin/sh -c 'touch {self.home.name}/ran'\n")
        self.server.public = True
        self.assert_refused("credential_process", "export-credentials", **NO_KEYS)
        self.assert_same()                          # the variables come first
        self.assertNotIn("ran", os.listdir(self.home.name))


class Roles(LoginTest):
    def variables(self, **more):
        return {**NO_KEYS, "AWS_ENDPOINT_URL_STS": self.url + "/sts", **more}

    def test_a_role_of_a_profile(self):
        self.write(".aws/credentials", "[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base\n")
        self.config(f"[profile work]\nrole_arn = {ROLE}\nsource_profile = base\nexternal_id = a b&c=d\nrole_session_name = me@here\nduration_seconds = 900\n")
        seen = self.sts({"AKIABASE": ("base", None)}, ("RoleArn", ROLE), ("ExternalId", "a b&c=d"), ("RoleSessionName", "me@here"),
                        ("DurationSeconds", "900"), ("Action", "AssumeRole"))
        self.assert_same(**self.variables(AWS_PROFILE="work"))
        self.assertEqual(len(seen), 1)

    def test_a_role_that_is_refused_is_said(self):
        self.config(f"[default]\nrole_arn = {ROLE}\nsource_profile = base\n[profile base]\naws_access_key_id = AKIABASE\naws_secret_access_key = wrong\n")
        self.sts({"AKIABASE": ("base", None)})
        self.assert_refused(ROLE, "SignatureDoesNotMatch", **self.variables())

    def test_roles_in_a_row(self):
        self.config(f"[default]\nrole_arn = {ROLE}/2\nsource_profile = middle\n[profile middle]\nrole_arn = {ROLE}/1\nsource_profile = base\n"
                    "[profile base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base\n")
        seen = self.sts({"AKIABASE": ("base", None)})
        self.assert_same(**self.variables())
        self.assertEqual([s["RoleArn"] for s in seen[:2]], [ROLE + "/1", ROLE + "/2"])
        signers = [a[3]["authorization"].partition("=")[2].partition("/")[0] for a in self.server.asked if a[1] == "/sts/"]
        self.assertEqual(signers[:2], ["AKIABASE", "ASIA1"])

    def test_roles_in_a_circle_are_said(self):
        self.config(f"[default]\nrole_arn = {ROLE}\nsource_profile = b\n[profile b]\nrole_arn = {ROLE}\nsource_profile = default\n")
        self.assert_refused("source_profile", **self.variables())

    def test_a_profile_that_is_its_own_source(self):
        self.config(f"[default]\nrole_arn = {ROLE}\nsource_profile = default\naws_access_key_id = AKIABASE\naws_secret_access_key = base\n")
        self.sts({"AKIABASE": ("base", None)})
        self.assert_same(**self.variables())

    def test_a_role_with_the_keys_of_the_environment(self):
        self.config(f"[profile work]\nrole_arn = {ROLE}\ncredential_source = Environment\n")
        self.write(".aws/credentials", "[work]\nregion = us-east-1\n")
        self.sts({"AKIABASE": ("base", None)})
        self.server.keys = {}
        # the keys of the environment come first of all, as with AWS's own programs
        self.assert_refused("AccessKey", **self.variables(AWS_PROFILE="work", AWS_ACCESS_KEY_ID="AKIAX", AWS_SECRET_ACCESS_KEY="x"))

    def test_a_role_of_a_container(self):
        self.config(f"[default]\nrole_arn = {ROLE}\ncredential_source = EcsContainer\n")
        self.server.services["/container"] = lambda *_: (200, self.as_json("AKIABASE", "base", "t", iso(3600)))
        seen = self.sts({"AKIABASE": ("base", "t")}, ("RoleArn", ROLE))
        self.assert_same(**self.variables(AWS_CONTAINER_CREDENTIALS_FULL_URI=self.url + "/container"))
        self.assertEqual(len(seen), 1)

    def test_a_role_that_needs_a_code_is_said(self):
        self.config(f"[default]\nrole_arn = {ROLE}\nsource_profile = base\nmfa_serial = arn:aws:iam::1:mfa/me\n"
                    "[profile base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base\n")
        self.assert_refused("mfa_serial", **self.variables())

    def test_a_web_identity_of_the_environment(self):
        token = self.write("token", "eyJ.a+b/c=\n")
        seen = self.sts(None, ("Action", "AssumeRoleWithWebIdentity"), ("WebIdentityToken", "eyJ.a+b/c="), ("RoleArn", ROLE), ("RoleSessionName", "pod"))
        self.assert_same(**self.variables(AWS_WEB_IDENTITY_TOKEN_FILE=token, AWS_ROLE_ARN=ROLE, AWS_ROLE_SESSION_NAME="pod"))
        self.assertEqual(len(seen), 1)
        self.assertFalse([a for a in self.server.asked if a[1].startswith("/sts") and "authorization" in a[3]])

    def test_a_web_identity_of_a_profile(self):
        token = self.write("token", "eyJ." + "x" * 6000)
        self.config(f"[profile web]\nrole_arn = {ROLE}\nweb_identity_token_file = {token}\n[profile top]\nrole_arn = {ROLE}/top\nsource_profile = web\n")
        self.sts(None, ("RoleArn", ROLE))
        self.assert_same(**self.variables(AWS_PROFILE="web"))
        self.assert_refused("AccessDenied", **self.variables(AWS_PROFILE="top"))    # this STS knows only the first
        self.assert_refused("no/such/file", **self.variables(AWS_WEB_IDENTITY_TOKEN_FILE="/no/such/file", AWS_ROLE_ARN=ROLE))

    def test_one_address_for_all_services(self):
        self.config(f"[default]\nrole_arn = {ROLE}\nsource_profile = base\n[profile base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base\n")
        sts = self.sts({"AKIABASE": ("base", None)})
        service = self.server.services.pop("/sts")
        self.server.services["/"] = lambda h, path, query: service(h, path, query) if "Action" in query else None
        self.assert_same(**self.variables(AWS_ENDPOINT_URL=self.url, AWS_ENDPOINT_URL_STS="", AWS_ENDPOINT_URL_S3=""))
        self.assertEqual(len(sts), 1)


class Sso(LoginTest):
    OLD = "[default]\nsso_start_url = https://d-1.awsapps.com/start\nsso_region = eu-west-1\nsso_account_id = 123456789012\nsso_role_name = Read Only\n"
    NEW = ("[default]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = Read Only\n"
           "[sso-session corp]\nsso_start_url = https://d-1.awsapps.com/start\nsso_region = eu-west-1\n")

    def portal(self, handler, path, query):
        if handler.small.get("x-amz-sso_bearer_token") != "the token" or query != {"role_name": ["Read Only"], "account_id": ["123456789012"]}:
            return 401, '{"message":"Session token not found or invalid"}'
        access, secret, token, _ = self.hand_out()
        return 200, json.dumps({"roleCredentials": {"accessKeyId": access, "secretAccessKey": secret, "sessionToken": token, "expiration": 4102444800000}})

    def log_in(self, expires, token="the token"):
        self.write(".aws/sso/cache/0a.json", json.dumps({"startUrl": "https://other", "region": "x", "accessToken": "no", "expiresAt": iso(3600)}))
        self.write(".aws/sso/cache/1b.json", json.dumps({"clientId": "x", "clientSecret": "y", "expiresAt": iso(3600)}))
        self.write(".aws/sso/cache/2c.json", json.dumps({"startUrl": "https://d-1.awsapps.com/start", "region": "eu-west-1", "accessToken": token,
                                                         "expiresAt": expires}))

    def test_the_login_of_sso(self):
        self.server.services["/federation/credentials"] = self.portal
        for text in (self.OLD, self.NEW):
            with self.subTest(text):
                self.config(text)
                self.log_in(iso(3600))
                self.assert_same(**NO_KEYS, AWS_ENDPOINT_URL_SSO=self.url)

    def test_a_login_that_ended_is_said(self):
        self.config(self.NEW)
        self.log_in(iso(-5))
        self.assert_refused("aws sso login --profile default", **NO_KEYS, AWS_ENDPOINT_URL_SSO=self.url)

    def oidc(self, handler, _path, _query):
        """Renews a login, for a refresh token that is good for one time."""
        asked = json.loads(handler.body)
        if asked != {"grantType": "refresh_token", "clientId": "client", "clientSecret": "se\"cret", "refreshToken": self.refresh[-1]}:
            return 400, '{"error":"invalid_grant"}'
        self.refresh.append(f"refresh {len(self.refresh)}")
        return 200, json.dumps({"accessToken": "the token", "tokenType": "Bearer", "expiresIn": 28800, "refreshToken": self.refresh[-1]})

    def log_in_renewable(self, registration=3600, refresh="refresh 0"):
        self.server.services.update({"/federation/credentials": self.portal, "/token": self.oidc})
        self.config(self.NEW)
        self.refresh = ["refresh 0"]
        return self.write(".aws/sso/cache/2c.json", json.dumps({
            "startUrl": "https://d-1.awsapps.com/start", "region": "eu-west-1", "accessToken": "an old token", "expiresAt": iso(-5), "clientId": "client",
            "clientSecret": "se\"cret", "registrationExpiresAt": iso(registration), "refreshToken": refresh}))

    def test_a_login_that_ended_is_renewed_and_kept(self):
        path = self.log_in_renewable()
        os.chmod(path, 0o600)
        places = {"AWS_ENDPOINT_URL_SSO": self.url, "AWS_ENDPOINT_URL_SSO_OIDC": self.url}
        for _ in range(2):
            self.assert_same(**NO_KEYS, **places)
            with open(path, encoding="utf-8") as f:
                kept = json.load(f)
            self.assertEqual((kept["accessToken"], kept["refreshToken"], kept["clientId"], self.refresh[-1]), ("the token", "refresh 1", "client", "refresh 1"))
            self.assertGreater(kept["expiresAt"], iso(28000))
            self.assertEqual((os.stat(path).st_mode & 0o777, os.listdir(os.path.dirname(path))), (0o600, ["2c.json"]))

    def test_a_login_that_cannot_be_renewed_is_said(self):
        places = {"AWS_ENDPOINT_URL_SSO": self.url, "AWS_ENDPOINT_URL_SSO_OIDC": self.url}
        self.log_in_renewable(registration=-5)
        self.assert_refused("aws sso login --profile default", **NO_KEYS, **places)
        self.assertFalse([a for a in self.server.asked if a[1] == "/token"])
        path = self.log_in_renewable(refresh="another")
        self.assert_refused("invalid_grant", "aws sso login --profile default", **NO_KEYS, **places)
        path = self.log_in_renewable()
        got = self.run_batch("--readonly", "-ex", "tensors", "s3://bkt/runs/a run+\u00e9", **NO_KEYS, **places)
        self.assertIn(b"--readonly", got.stderr)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(json.load(f)["accessToken"], "an old token")

    def test_a_login_that_is_refused_is_said(self):
        self.server.services["/federation/credentials"] = self.portal
        self.config(self.NEW)
        self.log_in(iso(3600), "another token")
        self.assert_refused("SSO of profile default", "Session token not found", **NO_KEYS, AWS_ENDPOINT_URL_SSO=self.url)

    def test_a_role_whose_source_is_sso(self):
        self.config(f"[profile top]\nrole_arn = {ROLE}\nsource_profile = default\n" + self.NEW)
        self.log_in(iso(3600))
        self.server.services["/federation/credentials"] = self.portal
        self.sts({"ASIATEMPORARY": ("of/ASIATEMPORARY", "token+of/ASIATEMPORARY")}, ("RoleArn", ROLE))
        self.assert_same(**NO_KEYS, AWS_PROFILE="top", AWS_ENDPOINT_URL_SSO=self.url, AWS_ENDPOINT_URL_STS=self.url + "/sts")


class Machines(LoginTest):
    def container(self, token=None):
        def service(handler, _path, _query):
            return (200, self.as_json()) if handler.small.get("authorization") == token else (401, "no")

        self.server.services["/v2/credentials"] = service

    def test_the_credentials_of_a_container(self):
        self.container("Bearer x")
        where = self.url + "/v2/credentials/id"
        token = self.write("token", "Bearer x\n")
        self.assert_same(**NO_KEYS, AWS_CONTAINER_CREDENTIALS_FULL_URI=where, AWS_CONTAINER_AUTHORIZATION_TOKEN="Bearer x")
        self.assert_same(**NO_KEYS, AWS_CONTAINER_CREDENTIALS_FULL_URI=where, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=token,
                         AWS_CONTAINER_AUTHORIZATION_TOKEN="wrong")
        self.assert_refused("credentials of the container", "401", **NO_KEYS, AWS_CONTAINER_CREDENTIALS_FULL_URI=where)
        self.assert_refused("no/such/file", **NO_KEYS, AWS_CONTAINER_CREDENTIALS_FULL_URI=where, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE="/no/such/file")

    def test_a_container_s_relative_address(self):
        self.container()
        self.assert_same(**NO_KEYS, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI="/v2/credentials/id", http_proxy=self.url, no_proxy="127.0.0.1")
        self.assertEqual(self.server.proxied, ["169.254.170.2"])

    def instance(self, role=b"reader", **more):
        """Instance metadata, second version; more: what is handed out."""
        def service(handler, path, _query):
            if path == "/latest/api/token":
                ttl = handler.small.get("x-aws-ec2-metadata-token-ttl-seconds")
                return (200, "session token") if handler.command == "PUT" and ttl == "21600" else (400, "")
            if handler.small.get("x-aws-ec2-metadata-token") != "session token":
                return 401, ""
            if path.endswith("/security-credentials/"):
                return (200, role.decode() + "\n") if role else (404, "")
            return (200, self.as_json(*self.hand_out(**more))) if path.endswith("/security-credentials/reader") else (404, "")

        self.server.services["/latest/"] = service
        return {**NO_KEYS, "AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": self.url + "/"}

    def test_the_role_of_an_instance(self):
        self.assert_same(**self.instance())

    def test_an_instance_without_a_role(self):
        variables = self.instance(None)
        self.server.public = True
        self.assert_same(**variables)

    def test_an_instance_is_not_asked_if_that_is_said(self):
        variables = self.instance()
        self.server.public = True
        self.assert_same(**{**variables, "AWS_EC2_METADATA_DISABLED": "true"})
        self.assertFalse([a for a in self.server.asked if a[1].startswith("/latest/")])

    def test_credentials_that_end_soon_are_not_asked_for_at_each_request(self):
        self.assert_same(**self.instance(expires_s=200))
        asked = [a for a in self.server.asked if a[1].endswith("/reader")]
        self.assertEqual(len(asked), 1)

    def test_credentials_that_ended_are_renewed(self):
        given = []

        def service(_handler, _path, _query):
            given.append(self.hand_out(f"ASIA{len(given)}"))
            self.server.expired = {g[0] for g in given[:-1]}
            if len(given) == 1:                     # the server does not take them for longer
                self.server.expired = {"ASIA0"}
            return 200, self.as_json(*given[-1])

        self.server.services["/container"] = service
        self.assert_same(**NO_KEYS, AWS_CONTAINER_CREDENTIALS_FULL_URI=self.url + "/container")
        self.assertEqual(len(given), 2)
