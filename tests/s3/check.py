# SPDX-License-Identifier: Apache-2.0
"""Trials in buckets of real servers (make s3-check). Usage: tests/s3/check.py PROGRAM GEN_TRIAL PORT DIR [PART...]
Each part can be run alone, after tests/s3/servers.sh start. It prints what it saw; a part that fails says so, and the status is 1."""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

from s3 import Client, Proxy, Resets, Runner, Toxics

TRIALS = ["tests/trials/cnn_healthy", "tests/trials/mlp_overfit", "tests/trials/ddp_two_workers", "tests/trials/cnn_reductions", "tests/trials/dtypes",
          "tests/trials/killed_midrun", "tests/trials/xgb_classifier", "tests/trials/shapes_only", "tests/samples/tensorboard", "tests/samples/profile"]
LINES = ["info trial", "info trials", "info collections", "info steps", "info modes", "info workers", "info size", "info files", "info sessions",
         "info settings", "info errors", "info events", "info problems", "info tensors", "tensors", "tensors -stats", "stat *", "hist * step last",
         "layers", "health", "rule list", "rule needs", "rule auto", "rule status -wait", "report", "explain", "verdict", "verdict signals", "snapshot",
         "doctor", "find nan", "updates", "runs", "profile summary", "profile phases", "profile system", "profile ops", "profile steps", "bt",
         "continue", "spark *", "series *", "info config", "info summary"]
parts = {}


def part(function):
    parts[function.__name__.replace("_", "-")] = function
    return function


class Place:
    """Where the checks are made: the servers' ports, the program, the bucket "bkt"."""

    def __init__(self, program, generator, port, folder):
        self.port, self.folder, self.generator = int(port), os.path.abspath(folder), os.path.abspath(generator)
        self.client = Client(self.port)
        self.url, self.slow_url = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{self.port + 3}"
        self.program = os.path.abspath(program)
        os.makedirs(self.folder + "/home", exist_ok=True)
        self.direct = self.runner(self.url)
        self.client.make("bkt")

    def runner(self, url):
        return Runner(self.program, self.folder + "/home", url)

    def toxics(self, **toxics):
        return Toxics(self.port + 2, **toxics)

    def trial(self, name, steps, tensors, elements):
        """A generated trial, here and in the bucket: its folder; its address is s3://bkt/NAME."""
        path = f"{self.folder}/{name}"
        if not os.path.isdir(path):
            subprocess.run([self.generator, path, str(steps), str(tensors), str(elements)], check=True, stdout=subprocess.DEVNULL)
        there = self.client.check("GET", "/bkt", [("list-type", "2"), ("prefix", name + "/"), ("max-keys", "1")])[0]
        if b"<Key>" not in there:
            self.client.upload(path, "bkt", name)
        return path


    def old(self, path):
        """A copy whose files are a day old, and of the same age: nobody waits for more of a run that has not ended."""
        folder, day = os.path.join(self.folder, "old", os.path.basename(path)), time.time() // 1 - 86400
        shutil.copytree(path, folder, dirs_exist_ok=True)
        for there, _, names in os.walk(folder):
            for name in [".", *names]:
                os.utime(os.path.join(there, name), (day, day))
        return folder

    def copy(self, path, name):
        """The files of a trial with their times, as s3://bkt/NAME."""
        self.client.upload(path, "bkt", name)
        for folder, _, names in os.walk(path):
            for file in names:
                there = os.path.join(self.folder, "versitygw/bkt", name, os.path.relpath(os.path.join(folder, file), path))
                shutil.copystat(os.path.join(folder, file), there)


def alike(text, place):
    """An answer without what differs: the place of the trial, and blanks, whose number depends on the length of a name."""
    for name in (place, os.path.abspath(place)):
        text = text.replace(name.encode(), b"PLACE")
    text = re.sub(rb"\b86[4-9]\d\d(\.\d+)?\b", b"DAY", text)      # the age of old files
    text = re.sub(rb'"(newest|time|rate|elapsed\w*|age\w*)":[-\d.e+nul]+', b"", text)      # an upload has its own times
    return re.sub(rb"[ \t]+|-{3,}", b" ", text)


def assert_same(local, got, here, there, what):
    a, b = alike(local.stdout, here), alike(got.stdout, there)
    if (a, local.returncode) != (b, got.returncode):
        rows = [(x, y) for x, y in zip(a.split(b"\n"), b.split(b"\n")) if x != y][:3]
        raise AssertionError(f"{what}: status {local.returncode} and {got.returncode}, first differences {rows}, {got.stderr[:300]}")


@part
def equal(p):
    """Every command of a list answers as for the same files here, in text and in JSON."""
    def text(job):
        path, there, line = job
        local, got = (p.direct.lines(place, line, fresh=False) for place in (path, there))
        assert_same(local, got, path, there, f"{path}: {line}")

    def machine(path, there):
        requests = "".join(json.dumps({"id": i, "cli": line}) + "\n" for i, line in enumerate(LINES)).encode()
        local, got = (subprocess.run([p.program, "-n", "-i", "json", place], input=requests, capture_output=True, env=p.direct.environment(),
                                     timeout=600, check=False) for place in (path, there))
        assert_same(local, got, path, there, f"{path}: JSON")

    jobs = []
    for path in TRIALS:
        old, there = p.old(path), "s3://bkt/eq/" + os.path.basename(path)
        p.copy(old, there[len("s3://bkt/"):])
        machine(old, there)
        jobs += [(old, there, line) for line in LINES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(text, jobs))
    print(f"  {len(TRIALS)} runs, {len(LINES)} commands each, as text and as JSON")


def assert_reads(p, runner, name="eq/cnn_healthy", path="tests/trials/cnn_healthy"):
    """The values of a trial are those here, although the connection is bad; the counts of the session."""
    lines = ["tensors -stats -csv", "stat * -csv"]
    local = p.direct.lines(path, *lines)
    got = runner.lines("s3://bkt/" + name, *lines, "info session -json")
    answer, _, counts = got.stdout.rstrip(b"\n").rpartition(b"\n")
    assert (got.returncode, answer + b"\n") == (0, local.stdout), (got.returncode, got.stderr[:300], counts[:100])
    return json.loads(counts)


@part
def faults(p):
    """Delays, connections that are reset, bodies that end early, and a slow line: the same values."""
    p.client.upload("tests/trials/cnn_healthy", "bkt", "eq/cnn_healthy")
    slow = p.runner(p.slow_url)
    quiet = assert_reads(p, slow)["requests"]
    for what, toxics in (("50 ms of latency, 20 ms of jitter", {"latency": {"latency": 50, "jitter": 20}}),
                         ("each third connection ends after 100 kB", {"limit_data": {"bytes": 100000, "toxicity": 0.33}}),
                         ("each third connection ends after 1 kB", {"limit_data": {"bytes": 1000, "toxicity": 0.33}}),
                         ("2 MB/s", {"bandwidth": {"rate": 2000}})):
        begun = time.monotonic()
        with p.toxics(**toxics):
            counts = assert_reads(p, slow)
        print(f"  {what}: {counts['requests']} requests ({quiet} without), {time.monotonic() - begun:.1f} s")
    for limit in (1000, 100000):
        with Resets(p.port, limit) as resets:
            counts = assert_reads(p, p.runner(resets.url))
        print(f"  each third connection is reset after {limit} bytes: {counts['requests']} requests, {resets.resets} resets")


@part
def busy(p):
    """A server that is busy (503 SlowDown) for a fifth of the requests, and one that always is."""
    p.client.upload("tests/trials/cnn_healthy", "bkt", "eq/cnn_healthy")
    body = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
    with Proxy(p.port, lambda n, path: (503, body) if n % 5 == 0 else None) as proxy:
        counts = assert_reads(p, p.runner(proxy.url))
        print(f"  {counts['requests']} requests, of which {len(proxy.asked) // 5} were refused")
    with Proxy(p.port, lambda n, path: (503, body)) as proxy:
        got = p.runner(proxy.url).lines("s3://bkt/eq/cnn_healthy", "tensors")
        assert got.returncode != 0 and b"SlowDown" in got.stderr, (got.returncode, got.stderr)
        print(f"  always: {len(proxy.asked)} requests; {got.stderr.decode().strip()}")


@part
def keys(p):
    """Strange names of prefixes."""
    names = ["a b", "\u00fc", "a+b", "a=b", "a%b", "a%20b", "a'b", "a(b)", "a!b", "a*b", "a~b", "a,b", "a;b", "a:b", "a@b", "a&b", "a$b", "a?b", "a#b",
             "a[b]", "\u65e5\u672c/\u00e9", "a<b>", 'a"b', "a\\b"]
    for name in names:
        p.client.upload("tests/trials/shapes_only", "bkt", "keys/" + name)
        local, got = (p.direct.lines(place, "tensors -csv") for place in ("tests/trials/shapes_only", "s3://bkt/keys/" + name))
        assert (got.returncode, got.stdout) == (0, local.stdout), (name, got.returncode, got.stderr)
    print(f"  {len(names)} names")


@part
def many(p):
    """A bucket of 10,000 objects is listed as it is needed."""
    p.client.make("many")
    if len(p.client.objects("many")) < 10000:
        p.client.upload("tests/trials/cnn_healthy", "many", "runs/r000")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: p.client.put("many", f"runs/r{i // 40 + 1:03}/events/{i % 40:012}/x.tfevents", b"x"), range(10000)))
    n = len(p.client.objects("many"))
    with Proxy(p.port) as proxy:
        counts = p.runner(proxy.url).asked("s3://many/runs/r000", "tensors")
        places = {re.search(r"prefix=([^& ]*)", a)[1] for a in proxy.lists()}
    assert all(place.startswith("runs/r000") or place in ("", "runs/", "runs/profiler-output/") for place in places), places
    p.client.upload("tests/trials/cnn_healthy", "bkt", "eq/cnn_healthy")
    alone = p.direct.asked("s3://bkt/eq/cnn_healthy", "tensors")
    assert counts["requests"] <= alone["requests"] + 2, (counts, alone)
    print(f"  {n} objects; one run of it: {counts['requests']} requests, {counts['lists']} of them lists; alone in a bucket {alone['requests']}")


@part
def public(p):
    """A public bucket without credentials; a private one says what is missing."""
    p.client.make("public")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": ["s3:GetObject", "s3:ListBucket"],
                                                      "Resource": ["arn:aws:s3:::public", "arn:aws:s3:::public/*"]}]}
    p.client.check("PUT", "/public", [("policy", "")], json.dumps(policy).encode())
    p.client.upload("tests/trials/cnn_healthy", "public", "run")
    nobody = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    got = p.direct.lines("s3://public/run", "tensors -csv", **nobody)
    assert (got.returncode, got.stdout) == (0, p.direct.lines("tests/trials/cnn_healthy", "tensors -csv").stdout), got.stderr
    got = p.direct.lines("s3://bkt/run", "tensors", **nobody)
    assert got.returncode != 0 and b"s3:ListBucket" in got.stderr, got.stderr
    print("  private:", got.stderr.decode().strip())


@part
def follow(p):
    """A run that is uploaded step by step is followed with at most one list a second."""
    steps, folder = 24, f"{p.folder}/live"
    if not os.path.isdir(folder):
        subprocess.run([p.generator, folder, str(steps), "20", "16"], check=True, stdout=subprocess.DEVNULL)
    files = sorted(os.path.join(d, n) for d, _, names in os.walk(folder) for n in names)
    last = [f for f in files if "/events/" in f or "/index/" in f]
    name = f"live-{int(time.time())}"

    def put(path):
        with open(path, "rb") as f:
            p.client.put("bkt", name + "/" + os.path.relpath(path, folder), f.read())

    def of_step(i):                                 # events before the index, as a hook writes them
        return sorted((f for f in last if f"/{i:012}_" in f), key=lambda f: "/index/" in f)

    for path in files:
        if path not in last and "end" not in os.path.basename(path):
            put(path)
    for path in of_step(0):
        put(path)

    def upload():
        for i in range(1, steps):
            time.sleep(0.5)
            for path in of_step(i):
                put(path)

    with Proxy(p.port) as proxy:
        program = subprocess.Popen([p.program, "-n", "-i", "json", "--follow", f"s3://bkt/{name}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=p.runner(proxy.url).environment())

        def ask(line):
            program.stdin.write(json.dumps({"id": 1, "cli": line}).encode() + b"\n")
            program.stdin.flush()
            for answer in program.stdout:
                answer = json.loads(answer)
                if answer["type"] == "result":
                    return answer

        ask("info trial")
        writer = threading.Thread(target=upload)
        begun, before = time.monotonic(), len(proxy.lists())
        writer.start()
        got = ask(f"wait step {steps - 1} -timeout 60s")
        late = time.monotonic() - begun - 0.5 * (steps - 1)
        asked, seconds = proxy.lists(), time.monotonic() - begun
        known = sum(a in asked[:i] for i, a in enumerate(asked) if i >= before)
        writer.join()
        found = ask("info trial -json")
        program.stdin.close()
        program.wait(60)
    assert got["status"] == "done", (got, found)
    assert found["data"]["steps"] == steps, found
    assert known <= seconds + 4, f"{known} lists again in {seconds:.1f} s"
    print(f"  {steps} steps in {seconds:.1f} s: {known} lists again, {len(asked) - before - known} of new folders; the last step was seen {late:.1f} s after its upload")


def between(p, runner, place, first, *lines):
    """What lines ask for after first."""
    text = "".join(json.dumps({"id": i, "cli": line}) + "\n" for i, line in enumerate([*first, "info session", *lines, "info session"])).encode()
    subprocess.run(["rm", "-rf", runner.home + "/cache"], check=True)
    got = subprocess.run([p.program, "-n", "-i", "json", place], input=text, stdout=subprocess.PIPE, env=runner.environment(), timeout=600, check=True)
    counts = [a["data"] for a in map(json.loads, got.stdout.splitlines()) if a.get("cmd") == "info session"]
    return {key: counts[1][key] - counts[0][key] for key in counts[0]}


@part
def round_trips(p):
    """One value of a run that is open: one list and one read at most."""
    p.trial("large", 20, 4, 100000)
    n = between(p, p.direct, "s3://bkt/large", ["tensors"], "tensor Net_layer0.weight step 15")
    assert n["requests"] <= 2, n
    print(f"  {n['requests']} requests, {n['lists']} of them lists, {n['bytes']} bytes")


@part
def speed(p):
    """1,000 steps of 200 tensors are listed through 50 ms of latency a request in at most 3 s."""
    p.trial("wide", 1000, 200, 16)
    slow = p.runner(p.slow_url)
    with p.toxics(latency={"latency": 50}):
        times = []
        for _ in range(3):
            begun = time.monotonic()
            counts = slow.asked("s3://bkt/wide", "info trial")
            times.append(time.monotonic() - begun)
        begun = time.monotonic()
        slow.asked("s3://bkt/wide", "info trial", fresh=False)
        again = time.monotonic() - begun
        begun = time.monotonic()
        values = slow.asked("s3://bkt/wide", "tensors", fresh=False)
        print(f"  tensors, which reads a record of each step: {time.monotonic() - begun:.1f} s, {values['requests']} requests")
    print(f"  opened and listed in {', '.join(f'{t:.1f}' for t in times)} s, {counts['requests']} requests, {counts['bytes'] / 1e6:.1f} MB; from the disk {again:.1f} s")
    assert min(times) <= 3, "slower than the bar"


@part
def cache(p):
    """A second look fetches no blocks; the limit of the disk is kept; an object that was put again is seen."""
    name = f"cached-{int(time.time())}"
    p.client.upload("tests/trials/cnn_healthy", "bkt", name)
    first = p.direct.asked(f"s3://bkt/{name}", "tensors -stats")
    second = p.direct.asked(f"s3://bkt/{name}", "tensors -stats", fresh=False)
    assert second["requests"] == second["lists"] and second["kept_bytes"] > 0, second
    p.trial("large", 20, 4, 100000)
    p.direct.asked("s3://bkt/large", "tensors -stats", fresh=True, SMDBG_S3_CACHE_MIB="8")
    p.direct.asked(f"s3://bkt/{name}", "tensors", fresh=False, SMDBG_S3_CACHE_MIB="8")
    kept = sum(os.path.getsize(os.path.join(d, n)) for d, _, names in os.walk(p.direct.home + "/cache") for n in names)
    assert 0 < kept <= 8 << 20, kept
    before = p.direct.lines(f"s3://bkt/{name}", "tensors -stats -csv", fresh=True).stdout
    both = p.folder + "/both"                        # what is not put again stays
    for path in ("tests/trials/cnn_healthy", "tests/trials/cnn_dead_relu"):
        shutil.copytree(path, both, dirs_exist_ok=True)
    p.client.upload("tests/trials/cnn_dead_relu", "bkt", name)
    after = p.direct.lines(f"s3://bkt/{name}", "tensors -stats -csv", fresh=False).stdout
    local = p.direct.lines(both, "tensors -stats -csv").stdout
    assert after == local, "other values than those that are there now"
    assert after != before, "the values of before"
    print(f"  first {first['bytes']} bytes, then {second['bytes']} of lists and {second['kept_bytes']} from the disk; {kept >> 10} KiB of 8 MiB are kept")


@part
def tokens(p):
    """Session tokens of MinIO: in the environment, and by a role of a profile."""
    minio = Client(p.port + 1)
    minio.make("bkt")
    minio.upload("tests/trials/cnn_healthy", "bkt", "run")
    form = b"Action=AssumeRole&DurationSeconds=3600&Version=2011-06-15"
    body, _ = Client(p.port + 1, "sts").check("POST", "/", body=form, headers={"Content-Type": "application/x-www-form-urlencoded"})
    found = {e.tag.rpartition("}")[2]: e.text for e in xml.etree.ElementTree.fromstring(body).iter()}
    direct = p.runner(f"http://127.0.0.1:{p.port + 1}")
    keys_of = {"AWS_ACCESS_KEY_ID": found["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": found["SecretAccessKey"]}
    local = p.direct.lines("tests/trials/cnn_healthy", "tensors -csv").stdout
    got = direct.lines("s3://bkt/run", "tensors -csv", **keys_of, AWS_SESSION_TOKEN=found["SessionToken"])
    assert (got.returncode, got.stdout) == (0, local), got.stderr
    got = direct.lines("s3://bkt/run", "tensors -csv", **keys_of, AWS_SESSION_TOKEN=found["SessionToken"][:-2] + "xx")
    assert got.returncode != 0, got.stdout
    print("  a wrong token:", got.stderr.decode().strip())
    os.makedirs(direct.home + "/.aws", exist_ok=True)
    with open(direct.home + "/.aws/config", "w", encoding="utf-8") as f:
        f.write("[default]\nrole_arn = arn:xxx:xxx:xxx:xxxx\nsource_profile = base\n"
                f"[profile base]\naws_access_key_id = smkey\naws_secret_access_key = smsecret12345\n")
    got = direct.lines("s3://bkt/run", "tensors -csv", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_ENDPOINT_URL_STS=direct.url)
    os.remove(direct.home + "/.aws/config")
    assert (got.returncode, got.stdout) == (0, local), got.stderr


@part
def unwritten(p):
    """Nothing is written into a bucket: its objects are the same after all commands, and the server saw reads only."""
    p.client.upload("tests/trials/cnn_healthy", "bkt", "eq/cnn_healthy")
    before = p.client.objects("bkt")
    with Proxy(p.port) as proxy:
        runner = p.runner(proxy.url)
        for line in [*LINES, "snapshot save x.smdz", "bookmark a 10"]:
            runner.lines("s3://bkt/eq/cnn_healthy", line.replace("x.smdz", p.folder + "/x.smdz"), fresh=False)
        runner.run("--rules", "auto", "--json", "s3://bkt/eq/cnn_healthy")
        runner.run("--check", "s3://bkt/eq/cnn_healthy")
        methods = {a.partition(" ")[0] for a in proxy.asked}
    assert methods == {"GET"}, methods
    assert p.client.objects("bkt") == before
    print(f"  {len(proxy.asked)} requests, all GET")


def main():
    place = Place(*sys.argv[1:5])
    failed = 0
    for name in sys.argv[5:] or parts:
        print(f"{name}: {parts[name].__doc__}", flush=True)
        begun = time.monotonic()
        try:
            parts[name](place)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as e:
            failed += 1
            print(f"  FAILED: {e}")
        print(f"  {time.monotonic() - begun:.1f} s", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
