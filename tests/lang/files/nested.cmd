if 1
  while 1
    nosuch
  end
end
