if $argc == 2
  echo $arg1\n
else
  echo other\n
end
