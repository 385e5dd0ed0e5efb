# UTF-16, with a byte order mark, without one, and big-endian
$ -batch --no-follow -ex 'runs -csv -field run,path,kind,steps,last_step,metric,newest' tests/samples/utf16
run,path,kind,steps,last_step,metric,newest
utf16 (history.jsonl),history.jsonl,jsonl,4,3,loss,0.5
metrics,metrics.csv,csv,4,3,train loss,0.5
metrics_big,metrics_big.csv,csv,4,3,train loss,0.5
metrics_no_mark,metrics_no_mark.csv,csv,4,3,train loss,0.5
utf16 (train.log),train.log,log,4,30,loss,0.0645

$ -batch --no-follow -ex 'series loss -field step,value' -ex 'log' tests/samples/utf16/train.log
STEP   VALUE
   0       2
  10  0.1818
  20  0.0952
  30  0.0645
starting on GPU 0 – größe 3
step 0/40 loss: 2.0000 lr 1e-3
step 10/40 loss: 0.1818 lr 1e-3
step 20/40 loss: 0.0952 lr 1e-3
step 30/40 loss: 0.0645 lr 1e-3
done

$ -batch --no-follow -ex 'tensors -csv -field name' tests/samples/utf16/metrics.csv
name
größe
train loss

# a byte order mark before UTF-8
$ -batch --no-follow -ex 'series loss -field step,value' "$(printf '\357\273\277step 1 loss 3\nstep 2 loss 2\nstep 3 loss 1\n' >$T/a.log; echo $T)"
STEP  VALUE
   1      3
   2      2
   3      1

