# a matrix in shades, with its scale
$ -batch --ascii -ex 'heatmap CNN_fc1.weight[:3,:5] step 10' tests/trials/cnn_healthy
CNN_fc1.weight[:3,:5]  step 10 (train 10)  float32 (3, 5)
----....----====::::
----....----====::::
====####----@@@@====
====####----@@@@====
====--------++++====
====--------++++====
-0.276 ..::--==++**##%@ 0.495

# more elements than pixels: each is a mean
$ -batch --ascii -ex 'heatmap CNN_fc0.weight step 10 -w 24 -h 4' tests/trials/cnn_healthy
CNN_fc0.weight  step 10 (train 10)  float32 (24, 128)
*-*%@#=-.#-.-+:#@=#%:=+:
*@=-+%:=**@@=-++--=+=:-@
=*=*-*==+:++=*:#=*--%+-*
\
24 x 128 elements in 3 x 24 pixels; each pixel is a mean

$ -batch -ex 'heatmap CNN_fc0.weight step 10 -w 2 -h 2 -csv' tests/trials/cnn_healthy
row,column,value
0,0,-0.0002470591532528499
0,64,-0.009925713400065204
12,0,-0.006288297765773146
12,64,-0.004133563656144666

$ -batch -ex 'print mean(CNN_fc0.weight[0:12,0:64]@10)' tests/trials/cnn_healthy
$1 = -0.0002470591532528488

# what is not finite is marked
$ -batch --ascii -ex 'heatmap float32/special' tests/trials/dtypes
float32/special  step 3 (train 3)  float32 (8,)
xxxxIIIIiiii............@@@@....
xxxxIIIIiiii............@@@@....
0 ..::--==++**##%@ 3.4e+38  x NaN  I +Inf  i -Inf
marked: 1 NaN, 1 +Inf, 1 -Inf

$ -batch -ex 'heatmap CNN_conv0.weight step 10' tests/trials/cnn_healthy
! smdbg: CNN_conv0.weight has shape (4, 1, 5, 5); a heat map has two dimensions: choose a slice, such as NAME[0,0].
? 1

$ -batch -ex 'heatmap CNN_fc1.weight -map jet' tests/trials/cnn_healthy
! smdbg: Undefined item "jet" for map.  Choose one of: viridis, cividis, grey.
? 1

# two colours a cell, where the terminal has them
$ TERM=xterm-256color -batch --color=always -ex 'heatmap CNN_fc1.weight[:2,:2] step 10 -w 4 -h 3' tests/trials/cnn_healthy
CNN_fc1.weight[:2,:2]  step 10 (train 10)  float32 (2, 2)
[0;38;5;60m[48;5;60m▀▀[0;38;5;53m[48;5;53m▀▀[0m
[0;38;5;30m[48;5;30m▀▀[0;38;5;220m[48;5;220m▀▀[0m
\

# planes first, several images, features in grey
$ -batch --ascii -ex 'image conv0_input_0[:2,:,::4,::4] step 10' tests/trials/cnn_healthy
conv0_input_0[:2,:,::4,::4]  step 10 (train 10)  float32 (2, 1, 7, 7)
++++========++++====----==== ++++========================
++++========++++====----==== ++++========================
++++++++********########**** ====++++++++====----========
++++++++********########**** ====++++++++====----========
====++++++++########%%%%++++ ====++++####****====****%%%%
====++++++++########%%%%++++ ====++++####****====****%%%%
========----====++++****++++ ====++++@@@@@@@@====++++++++
========----====++++****++++ ====++++@@@@@@@@====++++++++
++++++++****++++============ ========****++++============
++++++++****++++============ ========****++++============
====++++####****====-------- ========++++****============
====++++####****====-------- ========++++****============
====++++++++====----....---- ========****++++====----====
====++++++++====----....---- ========****++++====----====
black -3.279  white 2.899

$ -batch -ex 'image conv0_output_0[0] step 10 -json -w 5 -h 1' tests/trials/cnn_healthy
{"name":"conv0_output_0","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","shape":[4,12,12],"layout":"grey","lo":-2.2542869372086396,"hi":2.5132329869601464,"nan":0,"pos_inf":0,"neg_inf":0,"images":[[[[0.014865956890086303,-0.42540781166301006],[-0.04511998652014873,0.021013180777016627]]],[[[0.63391259169050795,2.5132329869601464],[0.57963870786544358,-2.2542869372086396]]]]}

$ -batch -ex 'image labels step 10' tests/trials/cnn_healthy
! smdbg: labels has shape (16,); an image needs rows and columns, and in colour also planes.
? 1

$ -batch -ex 'image conv0_output_0 step 10 -layout nhwc' tests/trials/cnn_healthy
! smdbg: conv0_output_0 has shape (16, 4, 12, 12); an image has 1 plane (grey), or 3 or 4 (red, green, blue, alpha).
? 1

# histograms over the steps: counts as colours, hills, and the bands of the distribution
$ -batch --ascii -ex 'hist CNN_conv0.weight step all -bins 20 -w 50 -h 10' tests/trials/cnn_healthy
CNN_conv0.weight  15 steps, 0 to 100
      |...........................................
  0.5 +:::....::::......::::::::::::::....::::::::
      |+++========------==================--------
    0 +%%%@@@@%%%%@@@@@@########%%%%%%############
      |+++++++++++**************++++++++++++++++++
 -0.5 +:::::::::::------::::::::::::::---------:::
      |...........................................
      ++--------------------+--------------------+
       0                   50                  100
       0 ..::--==++**##%@ 40.9 elements

$ -batch --ascii -ex 'hist CNN_conv0.weight step all -as ridge -w 50 -h 9' tests/trials/cnn_healthy
CNN_conv0.weight  15 steps, 0 to 100
                       ...''':
                      .'   .''':''....
      0 ....''''''':'::::''  ..:...   '''....'''..
     32 '''''''''':.:   .::::... '.::'''''''''....
     54 ..''''...:...''' ....   '... ''''....'''..
     78 .''''''''   .''''    '''':  '''''...''''..
    100 .''''''''''''             '''''''''.......
        +-----------------+-------------+--------+
      -0.70               0            0.5    0.86

$ -batch --ascii -ex 'hist CNN_conv0.weight step all -bins tb -as bands -w 50 -h 9' tests/trials/cnn_healthy
CNN_conv0.weight  15 steps, 0 to 100
      |:::   :::::::   :::::::::::::::::::::::::::
  0.5 +:::::::===::::::::::::::::::::::::::::::===
      |+++++++++++++++++++++++++++++++++++++++++++
    0 +-------------------------------------------
      |###########################################
 -0.5 +===========================================
      | ::::::::::::::::::::::::::::::::::::::::::
      ++--------------------+--------------------+
       0                   50                  100
bands: all, and the middle 86, 68 and 38 % of the elements; the line is the median

$ -batch -ex 'hist CNN_fc1.bias step 0:20 -bins 2 -json' tests/trials/cnn_healthy
[{"step":0,"edges":[-0.5,0,0.5],"counts":[0,10],"nan":0,"pos_inf":0,"neg_inf":0,"distribution":[0,0,0,0,0,0,0,0,0]},{"step":10,"edges":[-0.072382226586341858,-0.014164570719003677,0.044053085148334503],"counts":[3,7],"nan":0,"pos_inf":0,"neg_inf":0,"distribution":[-0.072382226586341858,-0.059419095213214555,-0.04158508663251996,-0.013457642040614571,0.0024690452430929447,0.018395732526800462,0.030854310882410835,0.038497457416994237,0.044053085148334503]}]

$ -batch --ascii -ex 'hist MLP_fc1.bias step all -bins 5 -w 40 -h 6' tests/trials/mlp_exploding_tensor
MLP_fc1.bias  24 steps, 0 to 23
   0 +@@@@%%*
     |
 -2G +
     |    ...
     ++-------------+--------------+---+
      0            10             20  23
not counted: 231 NaN or Inf at 20 steps

# standing bars, few counts seen beside many
$ -batch --ascii -ex 'hist CNN_fc0.weight step 20 -bins 30 -log -h 7 -w 50' tests/trials/cnn_healthy
CNN_fc0.weight  step 20 (train 20)
   |         ..::###::::.
   |      ..:############::.
10 +    ::##################:.
   |.  #######################:. .
 0 +#:############################
   ++--------------+-------------+
  -0.45            0           0.44

# a slice at all steps, on one scale
$ -batch --ascii -ex 'strip CNN_conv0.weight[0,0] -w 36 -h 8' tests/trials/cnn_healthy
CNN_conv0.weight[0,0]  step 100 (eval 10)  float32 (5, 5)
++++++==++ ++++++++++ ++++++==++
**======== **====++++ ++==--==++
==....**:: ==..::**:: ==....**::
--====--@@ --====--@@ ::--==::@@
++++**#### ++++**#### ====++**##
32         66         100
-0.68 ..::--==++**##%@ 0.54
3 of 15 steps, evenly spaced; use -h to show more

# fewer than there are, and where NaN began
$ -batch --ascii -ex 'strip MLP_fc1.bias[:6] step 0:12 -w 80 -h 4' tests/trials/mlp_exploding_tensor
MLP_fc1.bias[:6]  step 11  float32 (6,)
@@@@@@@@@@@@ ##@@@@..@@@@ xxxxxxxxxxxx xxxxxxxxxxxx xxxxxxxxxxxx xxxxxxxxxxxx
1            3            5            7            9            11
-3513M ..::--==++**##%@ 0.07  x NaN
6 of 12 steps, evenly spaced; use -h to show more

$ -batch -ex 'strip CNN_fc0.weight step 0:30 -w 12 -h 4 -csv' tests/trials/cnn_healthy
step,row,column,value
0,0,0,0.007045101965938254
0,0,32,-0.007721401729024057
0,0,64,-0.0036573085233252804
0,0,96,-0.004837787004703392
20,0,0,0.0018253067440383596
20,0,32,-0.0033805885957028524
20,0,64,-0.007421048134006009
20,0,96,-0.0058131106819322015

$ -batch -ex 'strip CNN_conv0.weight' tests/trials/cnn_healthy
! smdbg: CNN_conv0.weight has shape (4, 1, 5, 5); a heat map has two dimensions: choose a slice, such as NAME[0,0].
? 1

# rows along their principal components, by class
$ -batch --ascii -ex 'scatter relu2_output_0 step 88 by labels -w 50 -h 10' tests/trials/cnn_healthy
relu2_output_0  step 88 (train 80)  float32 (16, 24)
     |33 3
  10 +
     |                                         1 1
     |7 9                                 1
   0 +          8
     |   7
 -10 +        2       5
     |     02       5   5
     ++------------+------------------+----------+
     -13           0                 20         31
principal components: x has 42.7 % of the variance, y 20.1 %

$ -batch --ascii -ex 'scatter relu2_output_0[:,:2] step 88 -w 40 -h 6' tests/trials/cnn_healthy
relu2_output_0[:,:2]  step 88 (train 80)  float32 (16, 2)
    |                 '
 20 +                 '
    |                 :
  0 +                 :
    +-----------------+-----------------
                      0

$ -batch -ex 'scatter relu2_output_0[:3] step 10 -csv' tests/trials/cnn_healthy
row,x,y,class
0,-4.5871227273421855,-3.8571103844248,
1,-3.3754106109910293,4.2693286320895325,
2,7.962533338333217,-0.41221824766473186,

$ -batch -ex 'scatter CNN_fc0.bias' tests/trials/cnn_healthy
! smdbg: CNN_fc0.bias has shape (24,); expected at least two rows of at least two numbers.
? 1

$ -batch -ex 'scatter relu2_output_0 by CNN_fc0.bias' tests/trials/cnn_healthy
! smdbg: CNN_fc0.bias has shape (24,); expected one number per point.
? 1


# predictions against labels
$ -batch --ascii -ex 'confusion probabilities by labels step 10' tests/trials/cnn_healthy
probabilities  step 10 (train 10)  float32 (16, 10)
true  0  1  2  3  4  5  6  9
   0  .  .  . @2  .  .  .  .
   1  . @2  .  .  .  .  .  .
   2  .  . @2  .  .  .  .  .
   3  .  .  .  .  .  .  . @1
   4  .  .  .  . @2  .  .  .
   5  .  .  .  .  . -1  . *2
   6  .  .  .  .  . +1  . +1
   9  .  .  .  .  .  .  . @2
56.25 % of 16 are correct; rows: true class, columns: predicted class

$ -batch --ascii -ex 'confusion probabilities step 10 by labels -w 20 -h 5' tests/trials/cnn_healthy
probabilities  step 10 (train 10)  float32 (16, 10)
true  0  1  2  3  4
   0  .  .  . @2  .
   1  . @2  .  .  .
   2  .  . @2  .  .
+5 more
56.25 % of 16 are correct; rows: true class, columns: predicted class

$ -batch -ex 'confusion probabilities by labels step 10 -json' tests/trials/cnn_healthy
{"name":"probabilities","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","shape":[16,10],"labels":"labels","accuracy":0.5625,"classes":[0,1,2,3,4,5,6,9],"counts":[[0,0,0,2,0,0,0,0],[0,2,0,0,0,0,0,0],[0,0,2,0,0,0,0,0],[0,0,0,0,0,0,0,1],[0,0,0,0,2,0,0,0],[0,0,0,0,0,1,0,2],[0,0,0,0,0,1,0,1],[0,0,0,0,0,0,0,2]]}

$ -batch -ex 'confusion probabilities' tests/trials/cnn_healthy
! smdbg: confusion needs labels: confusion PREDICTIONS by LABELS.
? 1

$ -batch -ex 'confusion CNN_fc0.bias by labels step 10' tests/trials/cnn_healthy
! smdbg: CNN_fc0.bias has shape (24,); expected a class, or a score per class, for each label.
? 1

$ -batch tests/trials/cnn_healthy -ex 'image CNN_conv0.weight[0] step 0 -map viridis'
CNN_conv0.weight[0]  step 0 (train 0)  float32 (1, 5, 5)
▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
▒▒▒▒········▓▓▓▓····
▒▒▒▒········▓▓▓▓····
░░░░▒▒▒▒▒▒▒▒░░░░████
░░░░▒▒▒▒▒▒▒▒░░░░████
▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓████
▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓████
-0.56 ···░░░░▒▒▒▓▓▓███ 0.50

$ -batch tests/trials/cnn_healthy -ex 'image CNN_conv0.weight[0] step 0 -map nosuch'
! smdbg: Undefined item "nosuch" for map.  Choose one of: viridis, cividis, grey.
? 1

$ -batch tests/trials/cnn_healthy -ex 'image CNN_conv1.weight step 0 -h 6'
CNN_conv1.weight  step 0 (train 0)  float32 (8, 4, 5, 5)
▒▒░▒▒ ▒▒▒▒▓ ▒▒▒▓▒ ░▒▓▓░ ░░░▒▓ ░▒░░▒ ▒▒▓▒░ ░▒░▒▒ ▓▒▒▒░ ▓▓▒▒▒ ▒▒▒▓░ ▒░░▒▒ ▓░░░▒ ▒▒░▒▒ ▒▒░░▒ ▒░░░▒
▒░▒▒░ ░░▒▒▓ ░░░▒▒ ░▒░▒▒ ▓░▒░░ ▒░▒▒▒ ▒█▒▒▒ ▒▒▓▒▒ ▒░░▒░ ▒▒▒▒▓ ▒▒▒▒░ ▒▒▒░░ ▒▒▒▒▓ ▓▒▒▒▓ ▒▒░░▒ ▒▒▒▒▒
▒▓▓▒░ ▒▒▒█▒ ░░▓▒▓ ░▓▒▒▒ ░█▓▓░ ░▒░▒▒ ▒▒▓▓░ ▒▒░▒▓ ▓▒▒░▓ ▒░▒▒▓ ░░▒▒▒ ░░▒░▒ ▓▒▒▓▓ █░▒▒▒ ░░░░░ ░░▒░█
black -0.4377  white 0.4129
16 of 32 images; use -h or a slice to show others

