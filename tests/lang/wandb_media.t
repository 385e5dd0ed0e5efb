# histograms with the edges that were logged, images as TensorBoard's, of other media a line
$ -batch -ex 'tensors -field name,dtype,shape,steps' -ex 'tensor counts step 2' -ex 'hist counts step 0' tests/samples/wandb_media
NAME         DTYPE    SHAPE      STEPS
counts       float64  (3, 3)         3
loss         float64  ()             3
net/picture  uint8    (2, 2, 3)      2
pair         uint8    (2, 2, 3)      2
photo        string   (3,)           1
table        string   (2,)           1
counts  step 2  float64 (3, 3)
a histogram of 7 values in 3 bins: left edge, right edge, count
[[-1.   0.   2. ]
 [ 0.   0.5  2. ]
 [ 0.5  2.   3. ]]
counts  step 0
[  0, 0.5)  2 ██████████████████████████▌
[0.5, 2.0]  3 ████████████████████████████████████████
$ -batch -ex 'tensor net/picture step 2' -ex 'image pair step 2' -ex 'tensor photo' -ex 'tensor table' tests/samples/wandb_media
net/picture  step 2  uint8 (2, 2, 3)
[[[ 0  3  6]
  [ 9 12 15]]
\
 [[18 21 24]
  [27 30 33]]]
pair  step 2  uint8 (2, 2, 3)
············ ████████████
············ ████████████
············ ████████████
············ ████████████
black 2  white 52
photo  step 2  string (3,)
an image of 8 x 8 in the format JPEG, 631 bytes: only PNG is decoded
table  step 2  string (2,)
table-file, 3 rows, 2 columns, 66 bytes: media/table/table_2_401aff9c2c2310bde4e9.table.json
text  value
a     0.5
b     0.25
c     1
$ -batch -ex 'info trial -json -field ignored,errors' tests/samples/wandb_media
{"ignored":"media whose files are missing","errors":0}
$ -batch -ex 'tensor weights' tests/samples/wandb_0_17/wandb/offline-run-20261123_150135-aaaa0001/run-aaaa0001.wandb
weights  step 12  float64 (4, 3)
a histogram of 4 values in 4 bins: left edge, right edge, count
[[1.   2.25 2.  ]
 [2.25 3.5  1.  ]
 [3.5  4.75 0.  ]
 [4.75 6.   1.  ]]
$ -batch -ex "snapshot save $T/a.smdz -field values" -ex "open $T/a.smdz" -ex 'tensor counts step 2' -ex 'tensor pair[1] step 0' tests/samples/wandb_media
values  12
a.smdz: archive of a TensorBoard directory, 1 run, ended
3 steps (GLOBAL 0..2), 6 tensors in 3 collections
counts  step 2  float64 (3, 3)
a histogram of 7 values in 3 bins: left edge, right edge, count
[[-1.   0.   2. ]
 [ 0.   0.5  2. ]
 [ 0.5  2.   3. ]]
pair[1]  step 0  uint8 (2, 3)
[[50 50 50]
 [50 50 50]]
$ -batch --allow-shell -ex "shell cp -r tests/samples/wandb_media $T/w" -ex "open $T/w" -ex 'tensors -field name' -ex "shell for f in $T/w/*/files/media/images/net/picture_2*; do echo x >> \$f; done" -ex 'tensor net/picture step 0' -ex 'tensor net/picture step 2' tests/samples/wandb_media
media: W&B run, 1 run, ended
3 steps (GLOBAL 0..2), 6 tensors in 3 collections
NAME
counts
loss
net/picture
pair
photo
table
net/picture  step 0  uint8 (2, 2, 3)
[[[ 0  1  2]
  [ 3  4  5]]
\
 [[ 6  7  8]
  [ 9 10 11]]]
! smdbg: .values at offset 657: run-5avxqpc1.wandb: the value is not what it was.
? 5
