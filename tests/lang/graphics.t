# pictures as pixels, where they are asked for
$ -batch --allow-shell -ex 'image CNN_conv0.weight[0,0,:2,:3] step 10 -as sixel -w 1 -h 1 | cat -v' tests/trials/cnn_healthy
CNN_conv0.weight[0,0,:2,:3]  step 10 (train 10)  float32 (2, 3)
^[P0;1;0q"1;1;6;4#0;2;56;56;56#1;2;51;51;51#2;2;100;100;100#3;2;10;10;10#4;2;0;0;0#0BB$#1??!4B$#2KK$#3??KK$#4!4?KK-^[\
black -0.08746  white 0.2325
$ -batch --allow-shell -ex 'image CNN_conv0.weight[0,0,:2,:3] step 10 -as kitty -w 1 -h 1 -map viridis | cat -v | head -2' tests/trials/cnn_healthy
CNN_conv0.weight[0,0,:2,:3]  step 10 (train 10)  float32 (2, 3)
^[_Ga=T,q=2,f=32,s=6,v=4,m=0;H5iL/x+Yi/8fmIv/H5iL/x+Yi/8fmIv/H5iL/x+Yi/8fmIv/H5iL/x+Yi/8fmIv//ecl//3nJf9IGmz/SBps/0QBVP9EAVT//ecl//3nJf9IGmz/SBps/0QBVP9EAVT/^[\
$ -batch -ex 'image CNN_conv0.weight[0,0,:2,:3] step 10 -as blocks -w 8 -h 2' tests/trials/cnn_healthy
CNN_conv0.weight[0,0,:2,:3]  step 10 (train 10)  float32 (2, 3)
▒▒▒▒▒▒
██····
black -0.08746  white 0.2325
$ TMUX=x -batch --allow-shell -ex 'image CNN_conv0.weight[0,0,:1,:1] step 10 -as sixel -w 1 -h 1 | cat -v' tests/trials/cnn_healthy
CNN_conv0.weight[0,0,:1,:1]  step 10 (train 10)  float32 (1, 1)
^[P0;1;0q"1;1;8;8#0;2;50;50;50#0!8~-#0!8B-^[\
black 0.09024  white 0.09024
$ -batch -ex 'image CNN_conv0.weight[0,0] step 10 -as x' tests/trials/cnn_healthy
! smdbg: Undefined item "x" for as.  Choose one of: blocks, sixel, kitty.
? 1

# the setting is for terminals: files and programs get blocks
$ -batch -ex 'set images sixel' -ex 'show images' -ex 'image CNN_conv0.weight[0,0,:2,:3] step 10 -w 8 -h 2' tests/trials/cnn_healthy
The current value of 'images' is "sixel".
CNN_conv0.weight[0,0,:2,:3]  step 10 (train 10)  float32 (2, 3)
▒▒▒▒▒▒
██····
black -0.08746  white 0.2325
$ -batch -ex 'image CNN_conv0.weight[0,0,:1,:2] step 10 -as sixel -json' tests/trials/cnn_healthy
{"name":"CNN_conv0.weight","step":10,"mode":"TRAIN","mode_step":10,"worker":"worker_0","dtype":"float32","shape":[1,2],"layout":"grey","lo":0.075970865786075592,"hi":0.090237617492675781,"nan":0,"pos_inf":0,"neg_inf":0,"images":[[[[0.090237617492675781,0.075970865786075592]]]]}
