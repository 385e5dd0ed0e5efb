# SPDX-License-Identifier: Apache-2.0
# complex_nan.sh DIR: a copy of tests/trials/dtypes in DIR; at step 3 the real part of complex64/x is NaN. Prints its path.
cp -r tests/trials/dtypes "$1/run" && cd "$1/run" || exit 1
printf '\000\000\300\177' |
    dd of=events/000000000003/000000000003_worker_0.tfevents bs=1 seek=2901 conv=notrunc 2>/dev/null
echo "$1/run"
