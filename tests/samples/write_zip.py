# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/zip: members stored and deflated, with data descriptors, zip64 and comments."""
import io
import os
import zipfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "zip")


class Pipe(io.RawIOBase):
    """A file that cannot seek: sizes follow the members."""

    def __init__(self, name):
        super().__init__()
        self.file = open(os.path.join(HERE, name), "wb")

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def fill(target, zip64):
    with zipfile.ZipFile(target, "w") as z:
        for i, method in enumerate((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)):
            info = zipfile.ZipInfo("root/data/%d" % i)
            info.compress_type = method
            with z.open(info, "w", force_zip64=zip64) as f:
                f.write(b"%d: " % i + b"abcdefgh" * 40)
        z.writestr("root/data.pkl", b"N.")
        z.comment = b"PK\5\6 a comment"


os.makedirs(HERE, exist_ok=True)
fill(os.path.join(HERE, "plain.zip"), False)
fill(os.path.join(HERE, "zip64.zip"), True)
fill(Pipe("piped.zip"), True)
