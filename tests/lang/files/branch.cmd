if $argc == 2
  echo $arg1
else
  echo other
end
