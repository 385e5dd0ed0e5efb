echo before
nosuch
echo not reached
