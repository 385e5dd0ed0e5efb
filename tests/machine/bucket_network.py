# SPDX-License-Identifier: Apache-2.0
"""What lies between the program and a bucket: TLS, proxies, clocks, regions, redirects; and what a refusal says."""
import shutil
import subprocess
import unittest

from s3_server import BucketTest, start_server, stop_server


class Network(BucketTest):
    def test_a_proxy_of_http_in_small_and_capital_letters(self):
        for name in ("http_proxy", "HTTP_PROXY"):
            with self.subTest(name):
                self.server.proxied.clear()
                self.assert_same("--readonly", **{name: self.url}, AWS_ENDPOINT_URL_S3="http://bucket.example:8333")
                self.assertEqual(set(self.server.proxied), {"bucket.example:8333"})

    def test_hosts_without_a_proxy(self):
        for name in ("no_proxy", "NO_PROXY"):
            with self.subTest(name):
                self.assert_same("--readonly", http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9", **{name: "localhost,127.0.0.1"})

    def test_a_proxy_that_is_not_there_is_said(self):
        self.assert_refused("127.0.0.1 port 9", http_proxy="http://127.0.0.1:9")

    def test_a_path_in_the_address_of_the_server(self):
        self.server.root = "/s3/bkt"
        self.assert_same(AWS_ENDPOINT_URL_S3=self.url + "/s3/")

    def test_a_clock_that_is_wrong_is_set_by_the_server_s(self):
        self.server.clock_s = 4000
        self.assert_same()

    def test_a_clock_that_stays_wrong_is_said(self):
        self.server.faults = [(403, "RequestTimeTooSkewed", "too large", {})] * 1000
        self.assert_refused("the clock of this machine is wrong")

    def test_a_redirect_to_a_region_is_followed(self):
        for status in (301, 307):
            with self.subTest(status):
                self.server.region = "eu-west-3"
                self.server.faults = [(status, "PermanentRedirect", "The bucket must be addressed otherwise.", {"x_amz_bucket_region": "eu-west-3"})]
                self.assert_same("--readonly")
                regions = [a[3]["authorization"].split("/")[2] for a in self.server.asked]
                self.assertEqual((regions[0], set(regions[1:])), ("us-east-1", {"eu-west-3"}))
                self.server.asked.clear()

    def test_the_region_of_the_address_is_signed(self):
        self.server.region = "eu-west-3"
        got = self.run_batch("-ex", "tensors", "https://bkt.s3.eu-west-3.amazonaws.com/runs/a+run%2B%C3%A9", AWS_REGION="us-west-2")
        self.assertEqual((got.returncode, got.stderr), (0, b""))
        self.assertEqual({a[3]["authorization"].split("/")[2] for a in self.server.asked}, {"eu-west-3"})

    def test_a_redirect_elsewhere_is_not_followed_and_is_said(self):
        self.server.faults = [(307, "TemporaryRedirect", "Go elsewhere.", {"Location": "http://evil.example/bkt"})] * 1000
        self.assert_refused("redirected to http://evil.example/bkt (status 307, TemporaryRedirect)")

    def test_refusals_name_the_permission(self):
        denied = (403, "AccessDenied", "Access Denied", {})
        self.server.faults = [denied] * 1000
        self.assert_refused("listing the bucket needs the permission s3:ListBucket (as the environment)")
        self.server.faults = []
        self.server.denied_keys = True
        self.assert_refused("reading it needs the permission s3:GetObject (as the environment)")

    def test_a_bucket_that_is_not_there_is_said(self):
        self.server.faults = [(404, "NoSuchBucket", "", {})] * 1000
        self.assert_refused("there is no such bucket", self.url)


    def test_a_name_that_no_bucket_of_aws_has_is_said(self):
        for place in ("s3://Bad_Bucket/x", "s3://ab"):
            with self.subTest(place):
                got = self.run_batch("-ex", "tensors", place, AWS_ENDPOINT_URL_S3="", https_proxy=self.url)
                self.assertIn(f"{place}: {place.split('/')[2]} is not a valid name of a bucket: 3 to 63 of a-z, 0-9,", got.stderr.decode())
                self.assertEqual(self.server.proxied, [])
        self.server.root = "/Bad_Bucket"
        got = self.run_batch("-ex", "tensors", "s3://Bad_Bucket/runs/a run+é")    # another server may have it
        self.assertEqual((got.returncode, got.stderr), (0, b""))

    def test_errors_name_the_address(self):
        address = "s3://bkt/runs/a run+é: "
        for faults, variables in (((403, "AccessDenied", "", {}), {}), ((404, "NoSuchBucket", "", {}), {}), ((403, "RequestTimeTooSkewed", "", {}), {}),
                                  ((403, "InvalidAccessKeyId", "", {}), {}), (None, {"http_proxy": "http://127.0.0.1:9"}), (None, {"AWS_PROFILE": "none"})):
            with self.subTest(faults, variables=variables):
                self.server.faults = [faults] * 1000 if faults else []
                self.assert_refused(address, **variables)


@unittest.skipUnless(shutil.which("openssl"), "without openssl there is no certificate")
class Tls(BucketTest):
    def setUp(self):
        super().setUp()
        self.certificate = self.home.name + "/certificate.pem"
        names = "subjectAltName=DNS:localhost,DNS:bkt.example,DNS:*.bkt.example,IP:127.0.0.1"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test",
                        "-addext", names, "-keyout", self.certificate, "-out", self.certificate + ".crt"], check=True, capture_output=True)
        with open(self.certificate, "a", encoding="utf-8") as out, open(self.certificate + ".crt", encoding="utf-8") as crt:
            out.write(crt.read())
        self.tls = start_server(self.certificate)
        self.addCleanup(stop_server, self.tls)
        self.at = f"https://localhost:{self.tls.server_port}"

    def test_certificates_of_an_authority_of_the_user(self):
        for name in ("AWS_CA_BUNDLE", "SSL_CERT_FILE"):
            with self.subTest(name):
                self.assert_same("--readonly", AWS_ENDPOINT_URL_S3=self.at, **{name: self.certificate + ".crt"})

    def test_a_certificate_with_the_number_of_the_server(self):
        at = f"https://127.0.0.1:{self.tls.server_port}"
        self.assert_same("--readonly", AWS_ENDPOINT_URL_S3=at, AWS_CA_BUNDLE=self.certificate + ".crt")

    def test_a_certificate_that_nobody_signed_is_refused(self):
        connections, accept = [], self.tls.get_request
        self.tls.get_request = lambda: (connections.append(1), accept())[1]
        self.assert_refused("certificate", "SSL_CERT_FILE", AWS_ENDPOINT_URL_S3=self.at)
        self.assertEqual(self.tls.requests, 0)
        self.assertLess(len(connections), 30)       # each object is asked for once, not six times

    def test_a_file_of_authorities_that_is_not_there_is_said(self):
        self.assert_refused("/no/such.pem", AWS_ENDPOINT_URL_S3=self.at, AWS_CA_BUNDLE="/no/such.pem")

    def test_a_tunnel_through_a_proxy(self):
        self.server.tunnel_port = self.tls.server_port
        for name in ("https_proxy", "HTTPS_PROXY"):
            with self.subTest(name):
                self.server.proxied.clear()
                self.assert_same("--readonly", AWS_ENDPOINT_URL_S3="https://bkt.example", AWS_CA_BUNDLE=self.certificate + ".crt", **{name: self.url})
                self.assertEqual(set(self.server.proxied), {"bkt.example:443"})

    def test_the_hosts_of_aws(self):
        for region, host in (("eu-west-3", "bkt.s3.eu-west-3.amazonaws.com"), ("cn-north-1", "bkt.s3.cn-north-1.amazonaws.com.cn")):
            with self.subTest(region):
                self.server.tunnel_port = self.tls.server_port
                self.server.proxied.clear()
                self.assert_refused("certificate", AWS_ENDPOINT_URL_S3="", AWS_REGION=region, https_proxy=self.url, AWS_CA_BUNDLE=self.certificate + ".crt")
                self.assertEqual(set(self.server.proxied), {host + ":443"})

    def test_the_region_of_the_address(self):
        """It is asked before the one of the variables: the host's name."""
        for address, host in (("https://bkt.s3.eu-west-3.amazonaws.com/x", "bkt.s3.eu-west-3.amazonaws.com"),
                              ("https://s3.cn-north-1.amazonaws.com.cn/bkt/x", "bkt.s3.cn-north-1.amazonaws.com.cn"),
                              ("https://eu-west-3.console.aws.amazon.com/s3/buckets/bkt?prefix=x", "bkt.s3.eu-west-3.amazonaws.com")):
            for region in ("", "us-west-2"):
                with self.subTest(address, region=region):
                    self.server.tunnel_port = self.tls.server_port
                    self.server.proxied.clear()
                    self.run_batch("-ex", "tensors", address, AWS_ENDPOINT_URL_S3="", AWS_REGION=region, https_proxy=self.url, AWS_CA_BUNDLE=self.certificate + ".crt")
                    self.assertEqual(set(self.server.proxied), {host + ":443"})

    def test_the_bucket_in_the_name_of_the_host(self):
        self.server.tunnel_port = self.tls.server_port
        self.tls.root = ""
        self.assert_same(AWS_ENDPOINT_URL_S3="https://bkt.example", AWS_CA_BUNDLE=self.certificate + ".crt", https_proxy=self.url,
                         SMDBG_S3_ADDRESSING="virtual")
        self.assertEqual({a[3]["host"] for a in self.tls.asked}, {"bkt.bkt.example"})
