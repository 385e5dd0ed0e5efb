echo before\n
nosuch
echo not reached\n
