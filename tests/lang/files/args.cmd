print $argc
echo $arg0 and $arg1\n
