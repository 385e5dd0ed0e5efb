define greet
  if $argc == 2
    echo hello $arg0 and $arg1\n
  else
    echo hello\n
  end
end
document greet
Say hello.
With two arguments, to both.
end
define broken
  nosuch $arg0
end
define deep
  deep
end
