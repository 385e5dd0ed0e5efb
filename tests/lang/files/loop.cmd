# counts, skips one, leaves early
set $i = 0
while $i < 10
  set $i = $i + 1
  if $i == 2
    loop_continue
  end
  if $i > 4
    loop_break
  else
    printf "%d\n", $i
  end
end
printf "left at %d\n", $i
