# smoothing keeps the raw line, faint; the cursor says values; time from the first value on
$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -smooth 0.8 -w 50 -h 8 -at 30' tests/trials/cnn_healthy
 3 +***              |      -- Cross...ut_0 1.334
   |  .***           |
 2 +   .  *********  |
   |     ...       ***********
 1 +         . . . . . .      *****************
   |                 |   . . . ... . ... . . . ***
   ++----------------|----------+----------------+
    0               30         50               80

$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -y log -x relative -w 50 -h 8' tests/trials/cnn_healthy
     |''...                  -- CrossEn...utput_0
   1 +     ''''......
     |               ''''''..............
     |                                   :
 0.1 +                                    '.    ..
     |                                     '..''
     ++--------------+--------------+------------+
     0s            0.05s          0.10s    0.1456s

# what has no place is marked
$ -batch --ascii -ex 'plot MSELoss_output_0 -y symlog -w 50 -h 8' tests/trials/mlp_exploding_tensor
 1e14 +    :I                 -- MSELoss_output_0
      |   .'
  1e9 +   :
      |  .'
  1e4 +  :
      |.'
      ++------x-x-x-x-xx-x-x-x-x-xx-x-x-x-x-xx-x-x
       0                10                 20   23

# more points than columns
$ -batch --ascii -ex 'plot CrossEntropyLoss_output_0 mode train -w 20 -h 5' tests/trials/many_steps
1.99 +       :     .
     |:::::.:::::.::
0.05 +::::::::::::::
     ++------------+
      0         1195
240 points in 20 columns; a column with several points shows their min and max

$ -batch -ex 'plot CrossEntropyLoss_output_0 -y cubic' tests/trials/cnn_healthy
! smdbg: Undefined item "cubic" for y.  Choose one of: linear, log, symlog.
? 1

$ -batch -ex 'plot CrossEntropyLoss_output_0 -smooth 1' tests/trials/cnn_healthy
! smdbg: The smoothing weight must be in [0, 1).
? 1

# an answer as a picture
$ -batch --ascii -ex "plot CrossEntropyLoss_output_0 mode train -w 20 -h 3 > $T/a.svg" -ex "shell grep -c text $T/a.svg; head -c 84 $T/a.svg" --allow-shell tests/trials/cnn_healthy
7
<svg xmlns="http://www.w3.org/2000/svg" width="180" height="57" font-family="DejaVu 

# where breakpoints have stopped is marked on the axis, until they are deleted
$ -batch -ex 'break CrossEntropyLoss_output_0 if $v > $prev' -ex c -ex c -ex 'plot CrossEntropyLoss_output_0 -h 5 -w 70' -ex delete -ex 'plot CrossEntropyLoss_output_0 -h 5 -w 70' tests/trials/cnn_healthy
Breakpoint 1 at CrossEntropyLoss_output_0 (1 tensor)
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 68 (train 60), worker_0
$v = 0.396 > $prev = 0.35
\
Breakpoint 1, CrossEntropyLoss_output_0 at step 88 (train 80), worker_0
$v = 0.0635 > $prev = 0.0292
    3.2 ┤⠉⠒⠤⣀                            ── TRAIN CrossE…oss_output_0
        │    ⠉⠒⠤⠤⣀⣀⣀                     ┄┄ EVAL CrossEn…oss_output_0
 0.0003 ┤           ⠉⠉⠉⠉⠉⠑⠒⠛⠓⠒⠛⠓⠒⠵⠦⠤⠶⠦⠤⠶⠦⠤⠶⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢄⣤⣄⣀⣤⣄⣀⣀⣀⡀⣀⡀ ⣀⡀ ⣀
        └┬───────────┬───────────┬───────────┬────▲──────┬────▲──────┬
         0          20          40          60   68     80   88    100
    3.2 ┤⠉⠒⠤⣀                            ── TRAIN CrossE…oss_output_0
        │    ⠉⠒⠤⠤⣀⣀⣀                     ┄┄ EVAL CrossEn…oss_output_0
 0.0003 ┤           ⠉⠉⠉⠉⠉⠑⠒⠛⠓⠒⠛⠓⠒⠵⠦⠤⠶⠦⠤⠶⠦⠤⠶⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢄⣤⣄⣀⣤⣄⣀⣀⣀⡀⣀⡀ ⣀⡀ ⣀
        └┬───────────┬───────────┬───────────┬───────────┬───────────┬
         0          20          40          60          80         100

# settings are what charts begin with; options go before them
$ -batch --ascii -ex 'set smoothing 0.9' -ex 'set y-axis log' -ex 'plot CrossEntropyLoss_output_0 mode train -w 40 -h 6' -ex 'plot CrossEntropyLoss_output_0 mode train -w 40 -h 6 -smooth 0 -y linear' tests/trials/cnn_healthy
   3.2 +******************
       |        . . . . . **************
       |                        .
 0.029 + -- Cros...ut_0           ... ..
       ++------------------+-----------+
        0                 50          80
  3.2 +'.                -- Cros...ut_0
      |  '.
      |    '''....
 0.03 +           ''''''''''''''''......
      ++-------------------+-----------+
       0                  50          80

# the last plot as a picture
$ -batch -ex "save $T/a.svg" -ex "plot CrossEntropyLoss_output_0 -w 30 -h 4 -trials all" --keep-going -ex "save $T/a.svg" -ex "save $T/b.svg CNN_conv0.bias" -ex "shell head -c 30 $T/a.svg" --allow-shell tests/trials/cnn_healthy | sed "s|$T|T|"
   3.2 ┤⠱⡀          ── TRA…_0
       │ ⠘⠤⣀        ┄┄ EVA…_0
0.0003 ┤    ⠉⠉⠙⠛⠒⠴⠶⠤⠤⠤⠤⠤⣤⣀⣀⣀ ⢀
       └──────────────────────
15 points in 30 columns; a column with several points shows their min and max
Saved to T/a.svg (5787 bytes).
<svg xmlns="http://www.w3.org/
! smdbg: There is no plot to save.  Try "plot", "hist", "heatmap" or "health" first.
! smdbg: "$T/b.svg": .svg is for the last plot only. Use "heatmap NAME > FILE.svg" to draw a tensor.

# a logarithmic x axis has a place for step 0
$ -batch --ascii -ex 'plot train/loss -trials run-4 -log-x -h 10 -w 60' tests/samples/sweep
 1.5 +'''......                               -o train/loss
     |         ''''''......
     |                     ''o'..
 1.0 +                           ''...
     |                                ''..
 0.5 +                                    ''o..
     |                                         '''..
     |                                              '''''..o
     ++------+---------------+---------------------+-------+
      0      1              10                    100    240
25 points in 60 columns; a column with several points shows their min and max
